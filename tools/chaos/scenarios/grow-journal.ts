import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '../../../src/domain/message/message.js'
import { encodeChecksumLine } from '../../../src/util/files/checksum-line.js'
import type { Harness } from '../harness/harness.js'
import { waitAtMost } from './scenario.js'

/** Bytes after which a journal is compacted. */
const compactAbove = 16 << 20
/** Bytes that the load must add. */
const remainingBytes = 8 << 10
const perLine = 10
const lineFeed = 10

const pollInterval = 50

/**
 * Grows the journal of a stopped relay until it is nearly due for compaction, with repeated records
 * of one message. The relay first resumes an interrupted compaction and truncates a torn line.
 */
export async function growJournal(harness: Harness): Promise<void> {
  const directory = join(harness.directory, 'data')
  if (!hasClosedJournal(directory)) {
    await harness.relay.start()
    while (listJournals(directory).length > 1) {
      if (await waitAtMost(pollInterval, harness.relay.process.ended)) break
    }
    await harness.relay.process.end('SIGTERM')
  }
  const [journal = '', ...others] = listJournals(directory)
  if (others.length > 0) throw new Error(`A compaction was not resumed in ${directory}.`)
  const line = Buffer.from(encodeChecksumLine(Array.from({ length: perLine }, () => fillerRecord)))
  const times = Math.floor((compactAbove - remainingBytes - statSync(journal).size) / line.length)
  if (times > 0) appendFileSync(journal, Buffer.concat(Array.from({ length: times }, () => line)))
}

/**
 * Whether there is one journal that was closed: its last line is complete, without preallocated
 * space after it.
 */
function hasClosedJournal(directory: string): boolean {
  const [journal, ...others] = listJournals(directory)
  if (journal === undefined || others.length > 0) return false
  const bytes = readFileSync(journal)
  return bytes.at(-1) === lineFeed && bytes.at(-2) !== lineFeed
}

function listJournals(directory: string): string[] {
  return readdirSync(directory)
    .filter(name => /^journal-\d+\.ndjson$/.test(name))
    .sort()
    .map(name => join(directory, name))
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
