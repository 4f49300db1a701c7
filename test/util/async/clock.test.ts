import { expect, test } from 'vitest'
import { createClock } from '../../../src/util/async/clock.js'

const clock = createClock()
const month = 31 * 24 * 60 * 60 * 1000

test('a sleep of a month lasts longer than one of 10 milliseconds', async () => {
  const stop = new AbortController()
  const long = clock.sleep(month, stop.signal).then(() => 'long')
  const short = clock.sleep(10).then(() => 'short')
  expect(await Promise.race([long, short])).toBe('short')
  stop.abort()
  expect(await long).toBe('long')
})

test('a timer of a month fires after one of 10 milliseconds', async () => {
  const fired = await new Promise(resolve => {
    const cancel = clock.after(month, () => resolve('long'))
    clock.after(10, () => {
      cancel()
      resolve('short')
    })
  })
  expect(fired).toBe('short')
})
