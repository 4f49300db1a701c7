import { join } from 'node:path'
import type { Message } from '../../../src/domain/message/message.js'
import { JournalFile } from '../../../src/server/store/lowdb/files/journal-file.js'
import {
  type JournalEntry,
  readManifest,
  writeManifest,
} from '../../../src/server/store/lowdb/files/manifest.js'
import type { Harness } from '../harness/harness.js'
import { waitAtMost } from './scenario.js'

/** Bytes after which a journal is compacted. */
const compactAbove = 16 << 20
/** Bytes that the load must add. */
const remainingBytes = 8 << 10

const pollInterval = 50

/**
 * Grows the journal of a stopped relay until it is nearly due for compaction, with repeated records
 * of one message. The relay first resumes an interrupted compaction and truncates a torn line.
 */
export async function growJournal(harness: Harness): Promise<void> {
  const directory = join(harness.directory, 'data')
  if ((await findClosedJournal(directory)) === undefined) {
    await harness.relay.start()
    while ((await listJournals(directory)).length > 1) {
      if (await waitAtMost(pollInterval, harness.relay.process.ended)) break
    }
    await harness.relay.process.end('SIGTERM')
  }
  const found = await findClosedJournal(directory)
  if (found === undefined) throw new Error(`A compaction was not resumed in ${directory}.`)
  const journal = await JournalFile.open(directory, found)
  const target = compactAbove - remainingBytes
  for (const records of [1000, 10]) {
    const entries = Array.from({ length: records }, () => fillerRecord)
    const lineLength = JSON.stringify(entries).length + 20
    while (journal.length + lineLength <= target) await journal.append(entries)
  }
  await journal.close({ isInManifest: true })
  const manifest = await readManifest(directory)
  if (typeof manifest === 'string') throw new Error(`The manifest in ${directory} is ${manifest}.`)
  await writeManifest(directory, { ...manifest, journals: [journal.entry] })
}

/** The only journal, if the relay closed it. */
async function findClosedJournal(directory: string): Promise<JournalEntry | undefined> {
  const [journal, ...others] = await listJournals(directory)
  return others.length > 0 || journal?.open === true ? undefined : journal
}

async function listJournals(directory: string): Promise<readonly JournalEntry[]> {
  const manifest = await readManifest(directory)
  return typeof manifest === 'string' ? [] : manifest.journals
}

const id = '01900000-0000-7000-8000-000000000001'

/** Belongs to no account, so that no phone gets it. */
const fillerRecord: readonly ['message', string, Message] = [
  'message',
  id,
  {
    id,
    account: 'nobody',
    destination: '+12025550100',
    number: '+12025550100',
    text: 'x'.repeat(200),
    source: 'api',
    status: 'S',
    createdAt: 0,
    sendAt: 0,
    statusAt: 0,
    failures: 0,
    parts: 1,
  },
]
