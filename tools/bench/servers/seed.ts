// Child process: writes a data directory. Arguments: directory, amounts as JSON.
import { join } from 'node:path'
import type { Message } from '../../../src/domain/message/message.js'
import { JournalFile } from '../../../src/server/store/lowdb/files/journal-file.js'
import {
  type JournalEntry,
  type Manifest,
  writeManifest,
} from '../../../src/server/store/lowdb/files/manifest.js'
import { writeSnapshot } from '../../../src/server/store/lowdb/files/snapshot-file.js'
import type { Entry } from '../../../src/server/store/lowdb/records/collections.js'
import { type Amounts, createRecords } from './records.js'

/** Approximate number of records that one write has under load. */
const perLine = 20

/** Writes a journal of this size with records of the snapshot. */
async function writeJournal(
  directory: string,
  messages: Iterable<Message>,
  bytes: number,
): Promise<JournalEntry> {
  const journal = await JournalFile.create(directory, 1, 1)
  let entries: Entry[] = []
  for (const message of messages) {
    if (journal.length >= bytes) break
    entries.push(['message', message.id, message])
    if (entries.length < perLine) continue
    await journal.append(entries)
    entries = []
  }
  await journal.close({ isInManifest: true })
  return journal.entry
}

const [directory = '', text = '{}'] = process.argv.slice(2)
const amounts = JSON.parse(text) as Amounts
const records = createRecords(amounts, Date.now())
const snapshot = await writeSnapshot(join(directory, 'snapshot-000001.ndjson'), 0, records)
const journals =
  amounts.journal === undefined
    ? []
    : [await writeJournal(directory, records.message.values(), amounts.journal)]
await writeManifest(directory, { snapshot, journals } satisfies Manifest)
