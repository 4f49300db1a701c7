import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createEmptyCounts } from '../../../../src/domain/message/message-counts.js'
import { listDoNotText } from '../../../../src/server/store/do-not-text.js'
import { exportData } from '../../../../src/server/store/lowdb/journal/data-tools.js'
import type { Store } from '../../../../src/server/store/store.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { accept, listEvents, listMessages, start } from '../rig.js'
import { openStore } from './lowdb-rig.js'

// A data directory as it is on disk, and the records in it: a change of what a program reads from
// its files fails here.
const fixtures = new URL('../../../fixtures/', import.meta.url).pathname

async function copyDirectory(): Promise<string> {
  const folder = await temporaryFolder()
  await cp(join(fixtures, 'data-directory'), folder, { recursive: true })
  return folder
}

async function readRecords(name: string): Promise<{ kind?: string; record?: unknown }[]> {
  const text = await readFile(join(fixtures, name), 'utf8')
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

async function readRecordsOfKind(kind: string): Promise<unknown[]> {
  const records = await readRecords('data-directory.records.ndjson')
  return records.filter(each => each.kind === kind).map(each => each.record)
}

async function exportAll(folder: string): Promise<unknown[]> {
  const records: unknown[] = []
  for await (const each of exportData(folder)) records.push(each)
  return records
}

/** Everything a store returns, by kind as it is on disk. */
async function readAll(store: Store): Promise<Record<string, unknown[]>> {
  const both = async <T>(read: (account: string) => Promise<T[]>) =>
    (await Promise.all(['ada', 'bob'].map(read))).flat()
  const page = { account: 'ada', count: 10 }
  return {
    account: await store.accounts.list(),
    message: await both(account => listMessages(store, account)),
    subscription: await store.subscriptions.list(),
    capability: await store.secretUrls.list(),
    mailbox: await store.mailboxes.list(),
    phone: await store.phones.list(),
    received: (await store.receivedTexts.list(page)).toReversed(),
    event: await both(account => listEvents(store, account)),
    block: (await Promise.all(['*', 'bob', 'ada'].map(s => listDoNotText(store, s)))).flat(),
  }
}

/** Records of two accounts, in the order of the whole store. */
function sort(records: unknown[] | undefined): unknown[] {
  const toKey = ({ seq = 0, id = '' }: { seq?: number; id?: string }) => `${seq}`.padStart(9) + id
  return (records as object[]).toSorted((a, b) => (toKey(a) < toKey(b) ? -1 : 1))
}

describe('a stored data directory', () => {
  test('holds the same records, and still does after a compaction', async () => {
    const folder = await copyDirectory()
    const records = await readRecords('data-directory.records.ndjson')
    expect(await exportAll(folder)).toEqual(records)
    await (await openStore(folder, { compactAbove: 0 })).close()
    expect(await exportAll(folder)).toEqual(records)
  })

  test('is read by every part of the store', async () => {
    const store = await openStore(await copyDirectory())
    const { message, event, ...rest } = await readAll(store)
    const all = { ...rest, message: sort(message), event: sort(event) }
    for (const [kind, records] of Object.entries(all)) {
      expect(records, kind).toEqual(await readRecordsOfKind(kind))
    }
    const tokens = ['token-api', 'token-phone'].map(id => store.tokens.get(id))
    expect(await Promise.all(tokens)).toEqual(await readRecordsOfKind('token'))
    const deliveries = await store.deliveryLog.list('sub-create', { count: 10, failed: false })
    expect(deliveries).toEqual(await readRecords('data-directory.deliveries.ndjson'))
    const quarter = { from: start - (start % 900_000), length: 900_000, count: 1 }
    const counts = await store.statistics.getCounts('ada', quarter)
    expect(counts).toEqual([{ ...createEmptyCounts(), created: 7, sent: 1 }])
  })

  test('answers a repeated request with the message it had created', async () => {
    const store = await openStore(await copyDirectory())
    const key = { account: 'ada', key: 'create-8', digest: 'digest-8', until: start + 1e9 }
    const repeated = await accept(store, 'new', { account: 'ada' }, key)
    expect(repeated).toMatchObject({ text: 'scheduled', sendAt: start + 86_400_000 })
  })
})
