import { expect, test } from 'vitest'
import { KeyedQueue } from '../../../src/util/async/keyed-queue.js'

test('work on one key follows in order, also after a failure; other keys do not wait', async () => {
  const queue = new KeyedQueue()
  const seen: string[] = []
  let finishFirst = () => {}
  const first = queue.run('a', async () => {
    await new Promise<void>(resolve => {
      finishFirst = resolve
    })
    seen.push('a1')
    throw new Error('no')
  })
  const second = queue.run('a', async () => seen.push('a2'))
  await queue.run('b', async () => seen.push('b1'))
  expect(seen).toEqual(['b1'])
  finishFirst()
  await expect(first).rejects.toThrow('no')
  await second
  expect(seen).toEqual(['b1', 'a1', 'a2'])
  expect(await queue.run('a', async () => 5)).toBe(5)
})
