import { RelayError } from '../../../../errors.js'
import { decodeChecksumLine } from '../../../../util/files/checksum-line.js'
import { scanBlocks } from '../../../../util/files/log-reader.js'
import { type Entry, isPatch, type WholeEntry } from '../records/collections.js'
import type { FieldChanges } from '../records/field-changes.js'
import { readDataFile } from './data-file-format.js'
import { createSnapshot, type SnapshotWriter } from './snapshot-file.js'

export interface CompactionJob {
  /** Path of the store's present snapshot; undefined at first. */
  readonly snapshot: string | undefined
  /** Paths of the journals that follow the snapshot, oldest first; they do not change any more. */
  readonly journals: readonly string[]
  readonly target: string
}

interface JournalChanges {
  /** By kind and key: the whole record, null, or changed fields of the one in the snapshot. */
  readonly entries: Map<string, Entry>
  /** Records that the journals removed and created again, which belong at the snapshot's end. */
  readonly moved: ReadonlySet<string>
}

/**
 * Merges journals and the present snapshot into a new one with an atomic write. Needs memory for
 * the changed records only. Throws `damaged_data`.
 */
export async function compactJournals({
  snapshot,
  journals,
  target,
}: CompactionJob): Promise<void> {
  const changes = await readChanges(journals)
  await createSnapshot(target, async writer => {
    if (snapshot !== undefined) {
      await scanBlocks(snapshot, lines => copyWithChanges(writer, lines, changes))
    }
    for (const entry of changes.entries.values()) {
      if (entry[2] !== null && !isPatch(entry)) writer.writeRecord(entry)
    }
  })
}

async function readChanges(journals: readonly string[]): Promise<JournalChanges> {
  const entries = new Map<string, Entry>()
  const moved = new Set<string>()
  for (const path of journals) {
    await readDataFile(path, { allowTornTail: false }, value => {
      for (const entry of value as Entry[]) mergeEntry(entry, entries, moved)
    })
  }
  return { entries, moved }
}

function mergeEntry(entry: Entry, entries: Map<string, Entry>, moved: Set<string>): void {
  const key = buildRecordKey(entry[0], entry[1])
  const earlier = entries.get(key)
  if (isPatch(entry)) {
    if (earlier === undefined) entries.set(key, entry)
    else if (isPatch(earlier)) Object.assign(earlier[2], entry[2])
    else if (earlier[2] !== null) assignChanges(earlier[2], entry[2])
    return
  }
  if (earlier?.[2] === null && entry[2] !== null) {
    moved.add(key)
    entries.delete(key)
  }
  entries.set(key, entry)
}

/** Assigns a journal's changes to a record in place; JSON omits an undefined field. */
function assignChanges(record: object, changes: FieldChanges): void {
  const fields = record as Record<string, unknown>
  for (const name of Object.keys(changes)) fields[name] = changes[name] ?? undefined
}

/**
 * Copies lines of the snapshot, unchanged ones in one piece, and writes changed records in their
 * place; deletes the changes that it has written.
 */
function copyWithChanges(writer: SnapshotWriter, lines: Buffer, changes: JournalChanges): void {
  let start = 0
  let count = 0
  let from = 0
  for (let end = lines.indexOf(10); end !== -1; end = lines.indexOf(10, from)) {
    const line = lines.subarray(from, end)
    from = end + 1
    const key = parseLineKey(line)
    if (key !== undefined && !changes.entries.has(key)) {
      count += 1
      continue
    }
    if (count > 0) writer.write(lines.subarray(start, end - line.length), count)
    start = from
    count = 0
    if (key !== undefined) writeChange(writer, key, line, changes)
  }
  if (count > 0) writer.write(lines.subarray(start), count)
}

function writeChange(
  writer: SnapshotWriter,
  key: string,
  line: Buffer,
  { entries, moved }: JournalChanges,
): void {
  const entry = entries.get(key)
  if (entry === undefined || moved.has(key)) return
  entries.delete(key)
  if (entry[2] !== null) writer.writeRecord(readWholeEntry(entry, line))
}

/**
 * A journal's entry with its whole record, made from the snapshot's line if it has changed fields
 * only.
 */
function readWholeEntry(entry: Entry, line: Buffer): WholeEntry {
  if (!isPatch(entry)) return entry
  const [whole] = (decodeChecksumLine(line) ?? []) as WholeEntry[]
  if (!whole?.[2]) throw new RelayError('damaged_data', 'A line of the snapshot is damaged.')
  assignChanges(whole[2], entry[2])
  return whole
}

/** The key of a snapshot's line, mostly without parsing the JSON; undefined for header, trailer. */
function parseLineKey(line: Buffer): string | undefined {
  const head = /^.{8} \[\["(\w+)","([^"\\]*)",/.exec(line.toString('latin1', 0, 200))
  if (head !== null && /^[\x20-\x7e]*$/.test(head[2] ?? ''))
    return buildRecordKey(head[1] ?? '', head[2] ?? '')
  const value = decodeChecksumLine(line)
  if (!Array.isArray(value)) return undefined
  const [entry] = value as Entry[]
  return entry === undefined ? '' : buildRecordKey(entry[0], entry[1])
}

function buildRecordKey(kind: string, key: string): string {
  return `${kind} ${key}`
}
