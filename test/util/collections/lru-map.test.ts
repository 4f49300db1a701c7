import { expect, test } from 'vitest'
import { LruMap } from '../../../src/util/collections/lru-map.js'

test('used values stay and others are dropped', () => {
  const map = new LruMap<string, number>(3, () => 1)
  map.set('used', 1)
  map.set('unused', 2)
  for (let round = 0; round < 10; round += 1) {
    map.set(`other ${round}`, round)
    expect(map.get('used')).toBe(1)
  }
  expect([map.get('unused'), map.get('other 9')]).toEqual([undefined, 9])
})

test('the weight is at most that of two generations', () => {
  const map = new LruMap<number, string>(10, value => value.length)
  for (let key = 0; key < 100; key += 1) map.set(key, 'five!')
  const kept = Array.from({ length: 100 }, (_, key) => map.get(key)).filter(Boolean)
  expect(kept.length).toBeGreaterThanOrEqual(2)
  expect(kept.length).toBeLessThanOrEqual(4)
})

test('a new value replaces the old one of its key', () => {
  const map = new LruMap<string, number>(2, () => 1)
  for (const value of [1, 2, 3, 4, 5]) {
    map.set('key', value)
    expect(map.get('key')).toBe(value)
  }
})
