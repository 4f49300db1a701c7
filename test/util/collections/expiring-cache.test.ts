import { expect, test } from 'vitest'
import { ExpiringCache } from '../../../src/util/collections/expiring-cache.js'

function createCache(load: (key: string) => Promise<string>) {
  const time = { now: 0 }
  const options = { load, lifetime: 1000, size: 100, monotonic: () => time.now }
  return { time, cache: new ExpiringCache(options) }
}

test('a value is loaded once until it expires, counted from the start of its load', async () => {
  let loads = 0
  const { cache, time } = createCache(async key => {
    loads += 1
    time.now += 10
    return `${key}${loads}`
  })
  expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual(['a1', 'a1'])
  time.now = 999
  expect(await cache.get('a')).toBe('a1')
  time.now = 1000
  expect(await cache.get('a')).toBe('a2')
})

test('a value that was deleted during its load is loaded again', async () => {
  const waiting: ((value: string) => void)[] = []
  const { cache } = createCache(() => new Promise(resolve => waiting.push(resolve)))
  const first = cache.get('a')
  cache.delete('a')
  const second = cache.get('a')
  waiting[1]?.('new')
  waiting[0]?.('old')
  expect(await Promise.all([first, second, cache.get('a')])).toEqual(['old', 'new', 'new'])
})

test('a failed load is not remembered', async () => {
  let loads = 0
  const { cache } = createCache(async key => {
    loads += 1
    if (loads === 1) throw new Error('no')
    return key
  })
  await expect(cache.get('a')).rejects.toThrow('no')
  expect(await cache.get('a')).toBe('a')
  cache.clear()
  expect(await cache.get('a')).toBe('a')
  expect(loads).toBe(3)
})
