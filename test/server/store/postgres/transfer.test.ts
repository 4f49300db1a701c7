import { readdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Message } from '../../../../src/domain/message/message.js'
import { RelayError } from '../../../../src/errors.js'
import {
  backupDatabase,
  checkDatabase,
  exportDatabaseRecords,
  importIntoDatabase,
} from '../../../../src/server/data-database.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { accept, accountWith, listEvents, messageWith, start } from '../rig.js'
import { openStore } from './postgres-rig.js'
import { openTestDatabase, runSql } from './test-postgres.js'
import { encode, type Line, readAll, sortLines } from './transfer-rig.js'

const fixture = new URL('../../../fixtures/data-directory.records.ndjson', import.meta.url)
const people = new URL('../../../fixtures/people.records.ndjson', import.meta.url)
const texts = [await readFile(fixture, 'utf8'), await readFile(people, 'utf8')]
const fixtureLines: readonly Line[] = texts
  .join('')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line))

/** Records of the kinds that the fixture lacks, and a text with the character U+0000. */
const lines: readonly Line[] = [
  ...fixtureLines,
  { kind: 'meta', key: 'ada message.create', record: { seq: 3 } },
  { kind: 'meta', key: 'events', record: { seq: 500 } },
  {
    kind: 'group',
    key: 'g1',
    record: { id: 'g1', account: 'ada', name: 'Team', createdAt: start },
  },
  {
    kind: 'template',
    key: 't1',
    record: { id: 't1', account: 'ada', name: 'Hello', text: 'Hi {name}', createdAt: start },
  },
  {
    kind: 'contact',
    key: 'ada +12025550143',
    record: {
      ...{ account: 'ada', number: '+12025550143', name: 'Zoë', createdAt: start },
      ...{ groups: ['g1'], fields: { city: 'Köln' } },
    },
  },
  {
    kind: 'message',
    key: 'odd',
    record: { ...messageWith('odd', { account: 'ada', text: 'a\u0001\u2028b' }) },
  },
]

test('import and export report how many records are done', async () => {
  const database = { url: await openTestDatabase() }
  const steps: [number, number][] = []
  const onProgress = (finished: number, total: number) => steps.push([finished, total])
  const count = await importIntoDatabase(database, encode(lines), { onProgress })
  const [written = 0, total] = steps.at(-1) ?? []
  expect(written).toBe(total)
  expect(written).toBeGreaterThan(0)
  expect(written).toBeLessThanOrEqual(count)
  steps.length = 0
  await readAll(exportDatabaseRecords(database, onProgress))
  // The estimate is exact after an import, which ends with an analysis of the tables.
  expect(steps.at(-1)).toEqual([written, written])
})

test('the next event of each account has a number above all imported ones', async () => {
  const url = await openTestDatabase()
  await importIntoDatabase({ url }, encode(lines))
  const store = await openStore(url)
  await store.accounts.create(accountWith('new'))
  await accept(store, 'm901', { account: 'ada' })
  await accept(store, 'm902', { account: 'new' })
  expect((await listEvents(store, 'ada')).at(-1)?.seq).toBe(501)
  expect((await listEvents(store, 'new')).at(-1)?.seq).toBe(1)
})

test('an import counts the messages by groups as the store does', async () => {
  const url = await openTestDatabase()
  await importIntoDatabase({ url }, encode(lines))
  const readCounts = 'select * from message_group_count order by account, span, quarter, name'
  const imported = await runSql<{ count: string }>(url, readCounts)
  const { length } = lines.filter(({ kind }) => kind === 'message')
  expect(imported.reduce((sum, { count }) => sum + Number(count), 0)).toBe(2 * length)
  const written = await openTestDatabase()
  const store = await openStore(written)
  for (const { kind, record } of lines) {
    if (kind !== 'message') continue
    const message = record as unknown as Message
    await store.messages.change(message.account, message.id, () => ({ message }))
  }
  expect(await runSql(written, readCounts)).toEqual(imported)
})

test('an export is a check, and a backup writes it to a file', async () => {
  const url = await openTestDatabase()
  await importIntoDatabase({ url }, encode(lines))
  const folder = await temporaryFolder()
  const file = `${folder}/backup.ndjson`
  expect(await backupDatabase({ url }, file)).toBe(file)
  const copy = (await readFile(file, 'utf8')).trim().split('\n')
  expect(sortLines(copy.map(line => JSON.parse(line)))).toEqual(sortLines(lines))
  await expect(backupDatabase({ url }, file)).rejects.toMatchObject({ code: 'configuration' })
  expect(await readdir(folder)).toEqual(['backup.ndjson'])
  const { problems, records } = await checkDatabase({ url })
  expect(problems).toEqual([])
  expect(records.message).toBe(lines.filter(({ kind }) => kind === 'message').length)
  await runSql(url, `update message set doc = '{"text": 7}' where id = 'odd'`)
  expect((await checkDatabase({ url })).problems.length).toBeGreaterThan(0)
})

test('a backup that fails leaves no file, and has its name only when it is complete', async () => {
  const url = await openTestDatabase()
  await importIntoDatabase({ url }, encode(lines))
  const folder = await temporaryFolder()
  const file = `${folder}/backup.ndjson`
  const closed = { url: 'postgres://smsrelay@127.0.0.1:1/none' }
  await expect(backupDatabase(closed, file)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await readdir(folder)).toEqual([])
  let names: string[] = []
  const stop = () => {
    names = readdirSync(folder)
    throw new RelayError('unavailable', 'stopped')
  }
  await expect(backupDatabase({ url }, file, stop)).rejects.toThrow('stopped')
  expect(names).toEqual(['backup.ndjson.partial'])
  expect(await readdir(folder)).toEqual([])
  expect(await backupDatabase({ url }, file)).toBe(file)
})

test('an import needs a database without accounts; after an error nothing is changed', async () => {
  const database = { url: await openTestDatabase() }
  const wrong = [...lines, { kind: 'event', key: 'x', record: {} }]
  const failed = importIntoDatabase(database, encode(wrong))
  await expect(failed).rejects.toMatchObject({ code: 'invalid_parameter' })
  await importIntoDatabase(database, encode(lines))
  const again = importIntoDatabase(database, encode(lines))
  await expect(again).rejects.toMatchObject({ code: 'configuration' })
  expect(sortLines(await readAll(exportDatabaseRecords(database)))).toEqual(sortLines(lines))
})

test('an import that is aborted writes nothing', async () => {
  const database = { url: await openTestDatabase() }
  const abort = new AbortController()
  abort.abort(new Error('stopped'))
  const failed = importIntoDatabase(database, encode(lines), { signal: abort.signal })
  await expect(failed).rejects.toThrow()
  expect(await importIntoDatabase(database, encode(lines))).toBe(lines.length)
})
