import { expect, test } from 'vitest'
import { TurnPacer } from '../../../src/util/async/turn-pacer.js'

test('work begins in order, a few pieces in each turn of the event loop', async () => {
  const pacer = new TurnPacer(3)
  const begun: number[] = []
  for (let piece = 1; piece <= 8; piece += 1) void pacer.take().then(() => begun.push(piece))
  await Promise.resolve()
  await Promise.resolve()
  const counts = [begun.length]
  while (begun.length < 8) {
    await new Promise(resolve => setImmediate(resolve))
    counts.push(begun.length)
  }
  expect(counts).toEqual([3, 6, 8])
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('work that comes after a quiet turn begins at once', async () => {
  const pacer = new TurnPacer(1)
  await pacer.take()
  await new Promise(resolve => setImmediate(resolve))
  let isBegun = false
  void pacer.take().then(() => {
    isBegun = true
  })
  await Promise.resolve()
  await Promise.resolve()
  expect(isBegun).toBe(true)
})

test('items are mapped in order, a piece of them in each turn', async () => {
  const pacer = new TurnPacer(1)
  const turns: number[] = []
  let turn = 0
  const count = (): void => {
    turn += 1
    if (turns.length < 5) setImmediate(count)
  }
  setImmediate(count)
  const doubled = await pacer.map([1, 2, 3, 4, 5], 2, (item, at) => {
    turns.push(turn)
    return [item * 2, at]
  })
  expect(doubled).toEqual([2, 4, 6, 8, 10].map((each, at) => [each, at]))
  expect(turns).toEqual([0, 0, 1, 1, 2])
})
