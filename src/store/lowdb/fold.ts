import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from '../../util/files.js'
import type { Entry } from './collections.js'
import { forEachLine, readLines } from './journal-file.js'
import { decodeLine, encodeLine, formatVersion, type Header } from './line.js'

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

const chunkSize = 1 << 20
/** Bytes after which written data is flushed, so that no flush is long and holds up the journal's. */
const flushEvery = 8 << 20

/**
 * Folds journals into a new snapshot that is whole or not there: temporary file, fsync, rename, fsync of
 * the directory. Needs memory for what the journals changed only. Throws `damaged_data`.
 */
export async function fold(job: FoldJob): Promise<void> {
  const changes = await readChanges(job.journals)
  const temporary = `${job.target}.tmp`
  const file = await open(temporary, 'w', 0o600)
  try {
    await writeFolded(new LineWriter(file), job.snapshot, changes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, job.target)
  await syncDirectory(dirname(job.target))
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
  writer: LineWriter,
  snapshot: string | undefined,
  { lines, moved }: Changes,
): Promise<void> {
  await writer.write(encodeLine({ smsrelay: 'snapshot', format: formatVersion } satisfies Header))
  const kept = new Set<string>()
  if (snapshot !== undefined) {
    let first = true
    await forEachLine(snapshot, line => {
      if (first) {
        first = false
        return undefined
      }
      const key = keyOfLine(line)
      if (!lines.has(key)) return writer.write(Buffer.from(line), true)
      if (moved.has(key)) return undefined
      kept.add(key)
      return writer.write(lines.get(key) ?? '')
    })
  }
  for (const [key, line] of lines) {
    if (!kept.has(key) && line !== undefined) await writer.write(line)
  }
  await writer.flush()
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

/** Collects lines into large writes, and flushes them now and then. */
class LineWriter {
  readonly #file: FileHandle
  #chunks: Buffer[] = []
  #size = 0
  #unflushed = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  /** Adds a line, and its line feed where it has none. */
  write(line: Buffer | string, addFeed = false): Promise<void> | undefined {
    const bytes = typeof line === 'string' ? Buffer.from(line) : line
    this.#chunks.push(bytes)
    if (addFeed) this.#chunks.push(lineFeed)
    this.#size += bytes.length
    return this.#size < chunkSize ? undefined : this.flush()
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#size = 0
    await this.#file.appendFile(bytes)
    this.#unflushed += bytes.length
    if (this.#unflushed < flushEvery) return
    await this.#file.datasync()
    this.#unflushed = 0
  }
}

const lineFeed = Buffer.from('\n')
