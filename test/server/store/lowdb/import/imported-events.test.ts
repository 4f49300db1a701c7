import { expect, test } from 'vitest'
import { parseExport } from '../../../../../src/server/store/lowdb/import/parse-export.js'
import { exportData, importData } from '../../../../../src/server/store/lowdb/journal/data-tools.js'
import { openLowdbStore } from '../../../../../src/server/store/lowdb/lowdb-store.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, accountWith, listEvents, start } from '../../rig.js'

// A store that numbers the events of each account has the same numbers in several accounts.
const accounts = ['a', 'b']
const events = accounts.flatMap(account =>
  [1, 2, 3].map(seq => ({
    kind: 'event',
    key: `${account} ${seq}`,
    record: { seq, account, event: 'message.create', message: `m${seq}`, at: start },
  })),
)
const records = [
  ...accounts.map(id => ({ kind: 'account', key: id, record: accountWith(id) })),
  ...events,
  { kind: 'meta', key: 'events', record: { seq: 7 } },
]

async function* encode(values: readonly unknown[]): AsyncGenerator<Uint8Array> {
  for (const value of values) yield Buffer.from(JSON.stringify(value))
}

async function importAll() {
  const folder = await temporaryFolder()
  await importData(folder, await parseExport(encode(records)))
  return folder
}

test('events of several accounts with the same numbers are imported and exported', async () => {
  const folder = await importAll()
  const exported: unknown[] = []
  for await (const each of exportData(folder)) exported.push(each)
  expect(exported).toEqual(records)
})

test('each account has its own events, and later ones have higher numbers', async () => {
  const store = await openLowdbStore(await importAll())
  await accept(store, 'm9', { account: 'b' })
  const numbers = async (account: string) => (await listEvents(store, account)).map(e => e.seq)
  expect([await numbers('a'), await numbers('b')]).toEqual([
    [1, 2, 3],
    [1, 2, 3, 8],
  ])
  await store.close()
})

test('two events of an account with the same number are an error', async () => {
  const [event] = events
  const twice = parseExport(encode([...records, { ...event, key: '1' }]))
  await expect(twice).rejects.toMatchObject({
    details: ['line 10: record.seq: an earlier record has the same'],
  })
})
