// Child process: writes a data directory. Arguments: directory, amounts as JSON.
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '../../../src/domain/message/message.js'
import {
  formatVersion,
  type Header,
} from '../../../src/server/store/lowdb/journal/data-file-format.js'
import { writeSnapshot } from '../../../src/server/store/lowdb/journal/snapshot-file.js'
import { encodeChecksumLine } from '../../../src/util/files/checksum-line.js'
import { type Amounts, createRecords } from './records.js'

/** Approximate number of records that one write has under load. */
const perLine = 20

/** Writes a journal of this size with records of the snapshot. */
function writeJournal(path: string, messages: Iterable<Message>, bytes: number): void {
  const file = openSync(path, 'wx', 0o600)
  let left = bytes
  const write = (value: unknown): void => {
    left -= writeSync(file, encodeChecksumLine(value))
  }
  write({ smsrelay: 'journal', format: formatVersion } satisfies Header)
  let entries: unknown[] = []
  for (const message of messages) {
    if (left <= 0) break
    entries.push(['message', message.id, message])
    if (entries.length < perLine) continue
    write(entries)
    entries = []
  }
  closeSync(file)
}

const [directory = '', text = '{}'] = process.argv.slice(2)
const amounts = JSON.parse(text) as Amounts
const records = createRecords(amounts, Date.now())
await writeSnapshot(join(directory, 'snapshot-000001.ndjson'), records)
if (amounts.journal !== undefined) {
  writeJournal(join(directory, 'journal-000001.ndjson'), records.message.values(), amounts.journal)
}
