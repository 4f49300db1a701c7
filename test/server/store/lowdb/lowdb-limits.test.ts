import { expect, test } from 'vitest'
import { LowdbLimits } from '../../../../src/server/store/lowdb/lowdb-limits.js'

const until = 1000

async function open() {
  const limits = new LowdbLimits(10, 100)
  const keep = async (key: string, length: number) =>
    await limits.change('session record', key, until, () => 'x'.repeat(length))
  const list = async (...keys: string[]) => {
    const found = await Promise.all(keys.map(key => limits.get('session record', key)))
    return found.map(text => text?.length)
  }
  return { limits, keep, list }
}

test('the oldest texts are deleted when all together are too long', async () => {
  const { limits, keep, list } = await open()
  await limits.change('signed in', 'a', until, () => 1)
  for (const key of ['a', 'b', 'c']) await keep(key, 40)
  expect(await list('a', 'b', 'c')).toEqual([undefined, 40, 40])
  await keep('b', 60)
  expect(await list('b', 'c')).toEqual([60, 40])
  await keep('d', 90)
  expect(await list('b', 'c', 'd')).toEqual([undefined, undefined, 90])
  expect(await limits.get('signed in', 'a')).toBe(1)
})

test('a text that is too long alone is not kept', async () => {
  const { keep, list } = await open()
  await keep('a', 101)
  expect(await list('a')).toEqual([undefined])
})

test('removed and expired texts make room', async () => {
  const { limits, keep, list } = await open()
  await keep('a', 50)
  await limits.change('session record', 'a', until, () => null)
  await keep('b', 60)
  await limits.deleteExpired(until)
  await keep('c', 50)
  await keep('d', 50)
  expect(await list('a', 'b', 'c', 'd')).toEqual([undefined, undefined, 50, 50])
})

test('inputs of forms are deleted before other texts', async () => {
  const { limits, keep, list } = await open()
  await keep('a', 40)
  await limits.change('form input', 'b', until, () => 'x'.repeat(50))
  await keep('c', 40)
  expect(await limits.get('form input', 'b')).toBeUndefined()
  expect(await list('a', 'c')).toEqual([40, 40])
})
