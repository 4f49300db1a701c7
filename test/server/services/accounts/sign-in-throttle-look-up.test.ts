import { describe, expect, test } from 'vitest'
import type { RelayError } from '../../../../src/errors.js'
import { SignInThrottle } from '../../../../src/server/services/accounts/sign-in-throttle.js'

const second = 1000

describe('lookUp', () => {
  const settings = { address: { free: 3, first: second, max: 2 * second } }

  function openLookUps() {
    const clock = { now: 1_000_000 }
    const throttle = new SignInThrottle({ now: () => clock.now }, settings)
    const lookUp = async (address: string, found?: string) =>
      await throttle
        .lookUp(address, async () => found)
        .catch((error: RelayError) => error.retryAfter)
    return { clock, throttle, lookUp }
  }

  test('delays an address after unknown secrets, and no other address', async () => {
    const { clock, lookUp } = openLookUps()
    for (let n = 0; n < 3; n += 1) expect(await lookUp('a')).toBeUndefined()
    expect(await lookUp('a', 'right')).toBe(1)
    expect(await lookUp('b', 'right')).toBe('right')
    clock.now += second
    expect(await lookUp('a', 'right')).toBe('right')
    for (const delay of [2, 2]) {
      expect(await lookUp('a')).toBeUndefined()
      expect(await lookUp('a', 'right')).toBe(delay)
      clock.now += delay * second
    }
  })

  test('allows any number of concurrent known secrets, also after a failure', async () => {
    const { throttle, lookUp } = openLookUps()
    await lookUp('a')
    let resolve = (_: string): void => {}
    const pending = new Promise<string>(done => {
      resolve = done
    })
    const found = Array.from({ length: 200 }, () => throttle.lookUp('a', () => pending))
    resolve('right')
    expect(new Set(await Promise.all(found))).toEqual(new Set(['right']))
  })
})
