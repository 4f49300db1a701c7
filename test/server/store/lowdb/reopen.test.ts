import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../src/domain/message/message.js'
import { accept, contentOf, fill, messagesOf, messageWith, next, start } from '../rig.js'
import { filesIn, firstJournal, newFolder, openCopy, openStore } from './lowdb-rig.js'

test('a new store is empty', async () => {
  const store = await openStore(join(await newFolder(), 'made', 'on the way'))
  expect(await messagesOf(store)).toEqual([])
  expect(await store.accounts.list()).toEqual([])
  expect(store.messages.nextAvailable('a')).toBeUndefined()
})

test.each([Number.POSITIVE_INFINITY, 0])(
  'everything is there again after closing and opening, three times, folding above %d bytes',
  async foldAbove => {
    const folder = await newFolder()
    const first = await openStore(folder, { compactAbove: foldAbove })
    await fill(first)
    const before = await contentOf(first)
    await first.close()
    for (let time = 0; time < 3; time += 1) {
      const again = await openStore(folder, { compactAbove: foldAbove })
      expect(await contentOf(again)).toEqual(before)
      expect(await next(again, 'phone')).toBe('m1')
      await again.close()
    }
  },
)

test('what is resolved is in the files already', async () => {
  const folder = await newFolder()
  const store = await openStore(folder)
  for (const id of ['m1', 'm2', 'm3']) {
    await accept(store, id)
    expect(await contentOf(await openCopy(folder))).toEqual(await contentOf(store))
  }
  await next(store, 'phone')
  expect(await next(await openCopy(folder), 'phone')).toBe('m1')
})

test('what is asked for in one turn is one line, and an answer means it is there', async () => {
  const folder = await newFolder()
  const store = await openStore(folder)
  const ids = Array.from({ length: 50 }, (_, at) => `m${at}`)
  const answers = ids.map(id => accept(store, id))
  await Promise.race(answers)
  expect(await messagesOf(await openCopy(folder))).toHaveLength(50)
  await Promise.all(answers)
  const journal = (await filesIn(folder)).get(firstJournal)
  expect(journal?.toString().split('\n')).toHaveLength(3)
})

test('a change that changes nothing writes nothing', async () => {
  const folder = await newFolder()
  const store = await openStore(folder)
  await accept(store, 'm1')
  const before = await filesIn(folder)
  await store.messages.change('m1', () => ({}))
  await store.messages.change('none', () => ({ message: null }))
  await store.tokens.remove('none')
  expect(await filesIn(folder)).toEqual(before)
})

test('a decision that throws changes nothing, and reaches the caller', async () => {
  const folder = await newFolder()
  const store = await openStore(folder)
  await accept(store, 'm1')
  const before = await filesIn(folder)
  const failed = store.messages.change('m1', () => {
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(await filesIn(folder)).toEqual(before)
})

test('files are for their owner alone', async () => {
  const folder = join(await newFolder(), 'data')
  await fill(await openStore(folder))
  const store = await openStore(folder, { compactAbove: 0 })
  await store.close()
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  for (const name of (await filesIn(folder)).keys()) {
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  }
})

test('a file is read by ordinary text tools: a header, then a checksum and JSON a line', async () => {
  const folder = await newFolder()
  await accept(await openStore(folder), 'm1')
  const lines = (await filesIn(folder)).get(firstJournal)?.toString().split('\n') ?? []
  expect(lines.at(-1)).toBe('')
  expect(JSON.parse(lines[0]?.slice(9) ?? '')).toEqual({ smsrelay: 'journal', format: 1 })
  expect(JSON.parse(lines[1]?.slice(9) ?? '')[0]).toEqual(['message', 'm1', messageWith('m1')])
  expect(lines[1]).toMatch(/^[0-9a-f]{8} \[/)
})

test('of a record that was there the journal has what changed, and what is gone as null', async () => {
  const folder = await newFolder()
  const store = await openStore(folder)
  await accept(store, 'm1', { lastHolder: 'phone' })
  await store.messages.change('m1', found => {
    const { lastHolder: _, ...message } = found as Message
    return { message: { ...message, status: 'L' } }
  })
  const lines = (await filesIn(folder)).get(firstJournal)?.toString().split('\n') ?? []
  const changes = { status: 'L', lastHolder: null }
  expect(JSON.parse(lines[2]?.slice(9) ?? '')).toEqual([['message', 'm1', changes, 'patch']])
})

test('files of other names are left alone', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'notes.txt'), 'mine')
  const store = await openStore(folder)
  await accept(store, 'm1')
  await store.close()
  await openStore(folder, { compactAbove: 0 })
  expect((await filesIn(folder)).get('notes.txt')?.toString()).toBe('mine')
})

describe('a closed store', () => {
  test('takes no change', async () => {
    const store = await openStore(await newFolder())
    await store.close()
    await expect(accept(store, 'm1')).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('holds what was asked for before it was closed', async () => {
    const folder = await newFolder()
    const store = await openStore(folder)
    const asked = accept(store, 'm1')
    await store.close()
    await asked
    expect(await (await openStore(folder)).messages.get('m1')).toEqual(messageWith('m1'))
  })

  test('may be closed again', async () => {
    const store = await openStore(await newFolder())
    await store.close()
    await store.close()
    expect(store.messages.nextAvailable('a')).toBeUndefined()
  })
})

test('a lease goes on after the store was opened again', async () => {
  const folder = await newFolder()
  const store = await openStore(folder)
  await accept(store, 'm1')
  await next(store, 'phone')
  const again = await openCopy(folder)
  expect(await next(again, 'other')).toBeUndefined()
  expect(again.messages.expiredLeases(start + 120_000).map(each => each.id)).toEqual(['m1'])
  expect(again.messages.expiredLeases(start + 119_999)).toEqual([])
})
