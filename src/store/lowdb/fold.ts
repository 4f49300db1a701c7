import type { Entry } from './collections.js'
import { forEachLine, readLines } from './journal-file.js'
import { decodeLine, encodeLine } from './line.js'
import { createSnapshot, type SnapshotWriter } from './snapshot-file.js'

/** What is folded into what. */
export interface FoldJob {
  /** Path of the snapshot to start from; undefined when there is none yet. */
  readonly snapshot: string | undefined
  /** Paths of the journals that follow it, oldest first; none of them is written to any more. */
  readonly journals: readonly string[]
  /** Path of the snapshot to write. */
  readonly target: string
}

/** The last word of the journals on each record: its line, or undefined when it was removed. */
interface Changes {
  readonly lines: Map<string, string | undefined>
  /** Records that were removed and made again: their place is at the end. */
  readonly moved: ReadonlySet<string>
}

/**
 * Folds journals into a new snapshot that is whole or not there: temporary file, fsync, rename, fsync of
 * the directory. Needs memory for what the journals changed only. Throws `damaged_data`.
 */
export async function fold(job: FoldJob): Promise<void> {
  const changes = await readChanges(job.journals)
  await createSnapshot(job.target, async writer => {
    await writeFolded(writer, job.snapshot, changes)
  })
}

async function readChanges(journals: readonly string[]): Promise<Changes> {
  const lines = new Map<string, string | undefined>()
  const moved = new Set<string>()
  for (const path of journals) {
    await readLines(path, false, value => {
      for (const entry of value as Entry[]) note(entry, lines, moved)
    })
  }
  return { lines, moved }
}

function note(entry: Entry, lines: Map<string, string | undefined>, moved: Set<string>): void {
  const key = recordKey(entry[0], entry[1])
  const wasRemoved = lines.has(key) && lines.get(key) === undefined
  if (wasRemoved && entry[2] !== null) {
    moved.add(key)
    lines.delete(key)
  }
  lines.set(key, entry[2] === null ? undefined : encodeLine([entry]))
}

async function writeFolded(
  writer: SnapshotWriter,
  snapshot: string | undefined,
  { lines, moved }: Changes,
): Promise<void> {
  const kept = new Set<string>()
  if (snapshot !== undefined) {
    await forEachRecord(snapshot, line => {
      const key = keyOfLine(line)
      if (!lines.has(key)) return writer.write(line)
      if (moved.has(key)) return undefined
      kept.add(key)
      const changed = lines.get(key)
      return changed === undefined ? undefined : writer.write(changed)
    })
  }
  for (const [key, line] of lines) {
    if (!kept.has(key) && line !== undefined) await writer.write(line)
  }
}

/** Gives each line of a snapshot between its header and its trailer. */
async function forEachRecord(
  path: string,
  take: (line: Buffer) => Promise<void> | undefined,
): Promise<void> {
  let first = true
  let held: Buffer | undefined
  await forEachLine(path, line => {
    const record = held
    held = first ? undefined : Buffer.from(line)
    first = false
    return record === undefined ? undefined : take(record)
  })
}

/** The key of a snapshot's line, without reading the whole of it where that can be helped. */
function keyOfLine(line: Buffer): string {
  const head = /^.{8} \[\["(\w+)","([^"\\]*)",/.exec(line.toString('latin1', 0, 200))
  if (head !== null && /^[\x20-\x7e]*$/.test(head[2] ?? ''))
    return recordKey(head[1] ?? '', head[2] ?? '')
  const [entry] = (decodeLine(line) ?? []) as Entry[]
  return entry === undefined ? '' : recordKey(entry[0], entry[1])
}

function recordKey(kind: string, key: string): string {
  return `${kind} ${key}`
}
