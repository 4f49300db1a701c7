import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Message } from '../../../../../src/domain/message/message.js'
import { inspectData } from '../../../../../src/server/store/lowdb/journal/inspect-data.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, fill, listMessages, messageWith, start } from '../../rig.js'
import { firstJournal, openCopy, openStore, readFiles } from '../lowdb-rig.js'

test('changes of one turn are one line, which is on the disk at the first result', async () => {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  const ids = Array.from({ length: 50 }, (_, at) => `m${at}`)
  const results = ids.map(id => accept(store, id))
  await Promise.race(results)
  expect(await listMessages(await openCopy(folder))).toHaveLength(50)
  await Promise.all(results)
  const journal = (await readFiles(folder)).get(firstJournal)
  expect(journal?.toString().split('\n')).toHaveLength(3)
})

test('a change without an effect writes nothing', async () => {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  await accept(store, 'm1')
  const before = await readFiles(folder)
  await store.messages.change('a', 'm1', () => ({}))
  await store.messages.change('a', 'none', () => ({ message: null }))
  await store.tokens.remove({ id: 'none' })
  const failed = store.messages.change('a', 'm1', () => {
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(await readFiles(folder)).toEqual(before)
})

test('only the owner may read the files', async () => {
  const folder = join(await temporaryFolder(), 'data')
  await fill(await openStore(folder))
  const store = await openStore(folder, { compactAbove: 0 })
  await store.close()
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  for (const name of (await readFiles(folder)).keys()) {
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  }
})

test('a journal is text: a header, then lines of checksum and JSON', async () => {
  const folder = await temporaryFolder()
  await accept(await openStore(folder), 'm1')
  const lines = (await readFiles(folder)).get(firstJournal)?.toString().split('\n') ?? []
  expect(lines.at(-1)).toBe('')
  expect(JSON.parse(lines[0]?.slice(9) ?? '')).toEqual({
    smsrelay: 'journal',
    format: 3,
    first: 1,
  })
  expect(JSON.parse(lines[1]?.slice(9) ?? '').slice(0, 2)).toEqual([
    1,
    ['message', 'm1', messageWith('m1')],
  ])
  expect(lines[1]).toMatch(/^[0-9a-f]{8} \[/)
})

test('a changed record is written as its changed fields, with null for a removed one', async () => {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  await accept(store, 'm1', { lastHolder: 'phone' })
  await store.messages.change('a', 'm1', found => {
    const { lastHolder: _, ...message } = found as Message
    return { message: { ...message, status: 'L' } }
  })
  const lines = (await readFiles(folder)).get(firstJournal)?.toString().split('\n') ?? []
  const changes = { status: 'L', lastHolder: null }
  expect(JSON.parse(lines[2]?.slice(9) ?? '')).toEqual([2, ['message', 'm1', changes, 'patch']])
})

test('other files in the directory do not change', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'notes.txt'), 'mine')
  const store = await openStore(folder)
  await accept(store, 'm1')
  await store.close()
  await openStore(folder, { compactAbove: 0 })
  expect((await readFiles(folder)).get('notes.txt')?.toString()).toBe('mine')
})

test('expired idempotency keys are deleted on the disk, and others stay', async () => {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  const key = { account: 'a', key: 'k', digest: 'd', until: start + 1000 }
  await accept(store, 'm1', {}, key)
  await accept(store, 'm2', {}, { ...key, key: 'later', until: start + 5000 })
  await store.deleteExpired(start + 1000)
  await store.close()
  expect([...(await inspectData(folder)).data.once.keys()]).toEqual(['a later'])
})
