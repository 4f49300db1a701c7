import { appendFile, cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createEmptyCounts } from '../../../../src/domain/message/message-counts.js'
import { checkData, exportData } from '../../../../src/server/store/lowdb/journal/data-tools.js'
import type { Store } from '../../../../src/server/store/store.js'
import { decodeChecksumLine } from '../../../../src/util/files/checksum-line.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { accept, listEvents, listMessages, start } from '../rig.js'
import { openStore } from './lowdb-rig.js'

// Data directories of each format, and the records in all of them: those that the program of
// format 1 exported.
const fixtures = new URL('../../../fixtures/', import.meta.url).pathname

async function copyDirectory(name: string): Promise<string> {
  const folder = await temporaryFolder()
  await cp(join(fixtures, name), folder, { recursive: true })
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
    block: (await Promise.all(['*', 'bob', 'ada'].map(s => store.doNotText.list(s)))).flat(),
  }
}

/** Records of two accounts, in the order of the whole store. */
function sort(records: unknown[] | undefined): unknown[] {
  const toKey = ({ seq = 0, id = '' }: { seq?: number; id?: string }) => `${seq}`.padStart(9) + id
  return (records as object[]).toSorted((a, b) => (toKey(a) < toKey(b) ? -1 : 1))
}

describe.each(['data-directory', 'data-directory-format-2'])('the data directory %s', name => {
  test('holds the same records, and still does after a compaction', async () => {
    const folder = await copyDirectory(name)
    const records = await readRecords('data-directory.records.ndjson')
    expect(await exportAll(folder)).toEqual(records)
    await (await openStore(folder, { compactAbove: 0 })).close()
    expect(await exportAll(folder)).toEqual(records)
  })

  test('is read by every part of the store', async () => {
    const store = await openStore(await copyDirectory(name))
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
    const store = await openStore(await copyDirectory(name))
    const key = { account: 'ada', key: 'create-8', digest: 'digest-8', until: start + 1e9 }
    const repeated = await accept(store, 'new', { account: 'ada' }, key)
    expect(repeated).toMatchObject({ text: 'scheduled', sendAt: start + 86_400_000 })
  })
})

test('a directory of format 1 with a torn last line loses nothing else', async () => {
  const folder = await copyDirectory('data-directory')
  const journal = join(folder, 'journal-000002.ndjson')
  const torn = (await readFile(journal)).subarray(-200, -100)
  await appendFile(journal, Buffer.concat([torn, Buffer.alloc(4096, '\n')]))
  const warnings: string[] = []
  const store = await openStore(folder, { warn: sentence => warnings.push(sentence) })
  expect(warnings).toEqual([
    expect.stringContaining(join(folder, 'format-1')),
    expect.stringMatching(/journal-000002.*\b100 bytes/),
  ])
  expect(await store.accounts.list()).toEqual(await readRecordsOfKind('account'))
  await store.close()
  expect(await exportAll(folder)).toEqual(await readRecords('data-directory.records.ndjson'))
})

test('the files of format 1 are kept and open in the earlier program', async () => {
  const folder = await copyDirectory('data-directory')
  const warnings: string[] = []
  await (await openStore(folder, { warn: sentence => warnings.push(sentence) })).close()
  const backup = join(folder, 'format-1')
  expect(warnings).toEqual([expect.stringContaining(backup)])
  for (const name of ['snapshot-000002.ndjson', 'journal-000002.ndjson']) {
    const original = await readFile(join(fixtures, 'data-directory', name))
    expect(await readFile(join(backup, name))).toEqual(original)
  }
  expect(await exportAll(backup)).toEqual(await readRecords('data-directory.records.ndjson'))
  expect((await checkData(folder)).damages).toEqual([])
})

test.each([0, 10, 44, 500])(
  'a snapshot of format 1 that was cut after %i bytes is damage, not an empty directory',
  async length => {
    const folder = await temporaryFolder()
    const name = 'snapshot-000002.ndjson'
    const bytes = await readFile(join(fixtures, 'data-directory', name))
    await writeFile(join(folder, name), bytes.subarray(0, length))
    await expect(openStore(folder)).rejects.toMatchObject({ code: 'damaged_data' })
    expect(await readFile(join(folder, name))).toEqual(bytes.subarray(0, length))
  },
)

test('the header of each file of format 2 makes a program of format 1 refuse it', async () => {
  for (const name of ['snapshot-000002.ndjson', 'journal-000002.ndjson', 'journal-000003.ndjson']) {
    const bytes = await readFile(join(fixtures, 'data-directory-format-2', name))
    const header = decodeChecksumLine(bytes.subarray(0, bytes.indexOf(10)))
    // It compares `format` with its own before it reads another line.
    expect(header).toMatchObject({ format: 2 })
  }
})
