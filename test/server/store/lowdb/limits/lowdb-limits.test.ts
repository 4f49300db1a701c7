import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LowdbLimits } from '../../../../../src/server/store/lowdb/limits/lowdb-limits.js'
import { temporaryFolder } from '../../../../temporary-folder.js'

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

async function openFile(path: string, now: () => number) {
  const limits = await LowdbLimits.open(path, { now })
  onTestFinished(async () => await limits.close())
  return limits
}

test('forms and inputs survive a restart and a torn line; other limits do not', async () => {
  const path = join(await temporaryFolder(), 'forms.ndjson')
  let now = 0
  const limits = await openFile(path, () => now)
  await limits.change('form', 'done', until, () => ({ result: 'x' }))
  await limits.change('form', 'begun', until, () => ({ run: 'one', until: until / 2 }))
  await limits.change('session record', 'removed', until, () => 'x')
  await limits.change('session record', 'removed', until, () => null)
  await limits.change('form input', 'short', until / 2, () => 'x')
  await limits.change('form input', 'long', until, () => 'x')
  await limits.change('signed in', 'a', until, () => 1)
  // The process ends while it writes.
  await appendFile(path, '00000000 {"kind":')
  now = until / 4
  const list = async (each: LowdbLimits) => [
    await each.get('form', 'done'),
    await each.get('form', 'begun'),
    await each.get('session record', 'removed'),
    await each.get('form input', 'short'),
    await each.get('form input', 'long'),
    await each.get('signed in', 'a'),
  ]
  const lost = { run: 'one', until: now }
  const second = await openFile(path, () => now)
  expect(await list(second)).toEqual([{ result: 'x' }, lost, undefined, 'x', 'x', undefined])
  await second.change('form', 'later', until, () => ({ result: 'y' }))
  now = until / 2
  const third = await openFile(path, () => now)
  const later = { result: 'y' }
  expect([await third.get('form', 'later'), ...(await list(third))]).toEqual([
    ...[later, { result: 'x' }, { run: 'one', until: now }],
    ...[undefined, undefined, 'x', undefined],
  ])
})

test('forms are kept in memory if their file cannot be used', async () => {
  const path = join(await temporaryFolder(), 'forms.ndjson')
  await mkdir(path)
  const warnings: string[] = []
  const limits = await LowdbLimits.open(path, { now: () => 0, warn: text => warnings.push(text) })
  onTestFinished(async () => await limits.close())
  expect(warnings[0]).toContain('cannot be written (EISDIR)')
  await limits.change('form', 'done', until, () => ({ result: 'x' }))
  expect(await limits.get('form', 'done')).toEqual({ result: 'x' })
})
