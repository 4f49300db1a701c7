import { join } from 'node:path'
import { checksumLength } from '../../../../util/files/checksum-line.js'
import { assertUndamaged } from '../files/damage.js'
import type { JournalEntry, SnapshotEntry } from '../files/manifest.js'
import { readJournal } from '../files/read-journal.js'
import { readSnapshot } from '../files/read-snapshot.js'
import { createSnapshot, type SnapshotWriter } from '../files/snapshot-file.js'
import { type Entry, isPatch, type WholeEntry } from '../records/collections.js'
import type { FieldChanges } from '../records/field-changes.js'

export interface CompactionJob {
  readonly directory: string
  readonly snapshot: SnapshotEntry | undefined
  /** The journals that follow it, oldest first; they do not change any more. */
  readonly journals: readonly JournalEntry[]
  readonly target: string
}

interface JournalChanges {
  /** By kind and key: the whole record, null, or changed fields of the one in the snapshot. */
  readonly entries: Map<string, Entry>
  /** Records of the store that were removed and created again, which belong at the end. */
  readonly moved: ReadonlySet<string>
}

/**
 * Merges journals and the present snapshot into a new one with an atomic write. Checks every line
 * and every file before the new snapshot exists; throws `damaged_data`. Needs memory for the
 * changed records only.
 */
export async function compactJournals(job: CompactionJob): Promise<SnapshotEntry> {
  const { directory, snapshot, journals, target } = job
  const changes = await readChanges(directory, journals)
  const last = journals.at(-1)?.last ?? snapshot?.last ?? 0
  return await createSnapshot(join(directory, target), last, async writer => {
    if (snapshot !== undefined) {
      const file = { path: join(directory, snapshot.name), entry: snapshot }
      const { damages } = await readSnapshot(
        file,
        (bytes, start, end) => copyLine(writer, { bytes, start, end }, changes),
        { checkLines: true },
      )
      assertUndamaged(damages)
    }
    for (const entry of changes.entries.values()) {
      if (entry[2] !== null && !isPatch(entry)) writer.writeRecord(entry)
    }
  })
}

async function readChanges(
  directory: string,
  journals: readonly JournalEntry[],
): Promise<JournalChanges> {
  const entries = new Map<string, Entry>()
  const moved = new Set<string>()
  for (const entry of journals) {
    const { damages } = await readJournal(
      { path: join(directory, entry.name), entry },
      { first: entry.first, isLast: false },
      changes => {
        for (const each of changes) mergeEntry(each, entries, moved)
      },
    )
    assertUndamaged(damages)
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

/** Assigns the changes to a record in place; JSON omits an undefined field. */
function assignChanges(record: object, changes: FieldChanges): void {
  const fields = record as Record<string, unknown>
  for (const name of Object.keys(changes)) fields[name] = changes[name] ?? undefined
}

interface LineJson {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

/**
 * Copies a line of the snapshot, or writes the changed record in its place; deletes the changes
 * that it has written.
 */
function copyLine(
  writer: SnapshotWriter,
  line: LineJson,
  { entries, moved }: JournalChanges,
): void {
  const key = parseLineKey(line)
  const entry = entries.get(key)
  if (entry === undefined) {
    writer.write(line.bytes, line.start - checksumLength, line.end + 1)
    return
  }
  if (moved.has(key)) return
  entries.delete(key)
  if (entry[2] !== null) writer.writeRecord(readWholeEntry(entry, line))
}

/** The entry with its whole record, made from the snapshot's line if it has changed fields only. */
function readWholeEntry(entry: Entry, line: LineJson): WholeEntry {
  if (!isPatch(entry)) return entry
  const whole = parseLine(line)
  assignChanges(whole[2] as object, entry[2])
  return whole
}

function parseLine({ bytes, start, end }: LineJson): WholeEntry {
  const [entry] = JSON.parse(bytes.toString('utf8', start, end)) as [WholeEntry]
  return entry
}

/** The record key of a snapshot's line, mostly without parsing the JSON. */
function parseLineKey(line: LineJson): string {
  const { bytes, start } = line
  const kindEnd = bytes.indexOf(quote, start + jsonStart)
  const keyEnd = bytes.indexOf(quote, kindEnd + keySeparator.length)
  const key = bytes.toString('latin1', start + jsonStart, keyEnd)
  if (isPlainKey.test(key)) return key
  const [kind, id] = parseLine(line)
  return buildRecordKey(kind, id)
}

/** The JSON of a line begins with `[["`; kind and key follow with this between them. */
const jsonStart = 3
const keySeparator = '","'
const quote = 0x22
const isPlainKey = /^\w+","[ !#-[\]-~]*$/

function buildRecordKey(kind: string, key: string): string {
  return `${kind}${keySeparator}${key}`
}
