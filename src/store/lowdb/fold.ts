import type { Entry } from './collections.js'
import { readLines } from './journal-file.js'
import { decodeLine, encodeLine } from './line.js'
import { forEachBlock } from './line-reader.js'
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

/** The last word of the journals on each record. */
interface Changes {
  /** Its line, as bytes, which the garbage collector need not move; undefined when it was removed. */
  readonly lines: Map<string, Buffer | undefined>
  /** Records that were removed and made again: their place is at the end. */
  readonly moved: ReadonlySet<string>
}

/**
 * Folds journals into a new snapshot that is whole or not there: temporary file, fsync, rename, fsync of
 * the directory. Needs memory for what the journals changed only. Throws `damaged_data`.
 */
export async function fold({ snapshot, journals, target }: FoldJob): Promise<void> {
  const changes = await readChanges(journals)
  await createSnapshot(target, async writer => {
    if (snapshot !== undefined) {
      await forEachBlock(snapshot, lines => writeChanged(writer, lines, changes))
    }
    for (const line of changes.lines.values()) if (line !== undefined) writer.write(line)
  })
}

async function readChanges(journals: readonly string[]): Promise<Changes> {
  const lines = new Map<string, Buffer | undefined>()
  const moved = new Set<string>()
  for (const path of journals) {
    await readLines(path, false, value => {
      for (const entry of value as Entry[]) note(entry, lines, moved)
    })
  }
  return { lines, moved }
}

function note(entry: Entry, lines: Map<string, Buffer | undefined>, moved: Set<string>): void {
  const key = recordKey(entry[0], entry[1])
  const wasRemoved = lines.has(key) && lines.get(key) === undefined
  if (wasRemoved && entry[2] !== null) {
    moved.add(key)
    lines.delete(key)
  }
  lines.set(key, entry[2] === null ? undefined : Buffer.from(encodeLine([entry])))
}

/** Writes a snapshot's lines as they are, in runs, and the changed ones between; forgets those changes. */
function writeChanged(writer: SnapshotWriter, lines: Buffer, changes: Changes): void {
  let run = 0
  let count = 0
  let from = 0
  for (let end = lines.indexOf(10); end !== -1; end = lines.indexOf(10, from)) {
    const line = lines.subarray(from, end)
    from = end + 1
    const key = keyOfLine(line)
    if (key !== undefined && !changes.lines.has(key)) {
      count += 1
      continue
    }
    if (count > 0) writer.write(lines.subarray(run, end - line.length), count)
    run = from
    count = 0
    if (key !== undefined) writeChange(writer, key, changes)
  }
  if (count > 0) writer.write(lines.subarray(run), count)
}

function writeChange(writer: SnapshotWriter, key: string, { lines, moved }: Changes): void {
  if (moved.has(key)) return
  const line = lines.get(key)
  if (line !== undefined) writer.write(line)
  lines.delete(key)
}

/** The key of a snapshot's line, without reading the whole of it where that can be helped; none of header and trailer. */
function keyOfLine(line: Buffer): string | undefined {
  const head = /^.{8} \[\["(\w+)","([^"\\]*)",/.exec(line.toString('latin1', 0, 200))
  if (head !== null && /^[\x20-\x7e]*$/.test(head[2] ?? ''))
    return recordKey(head[1] ?? '', head[2] ?? '')
  const value = decodeLine(line)
  if (!Array.isArray(value)) return undefined
  const [entry] = value as Entry[]
  return entry === undefined ? '' : recordKey(entry[0], entry[1])
}

function recordKey(kind: string, key: string): string {
  return `${kind} ${key}`
}
