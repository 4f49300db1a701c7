import { fdatasyncSync, writeSync } from 'node:fs'
import { writeFileAtomicWith } from '../../../../util/files/atomic-write.js'
import { encodeChecksumLine } from '../../../../util/files/checksum-line.js'
import type { Collections, Kind } from '../records/collections.js'
import { formatVersion, type Header, type Trailer } from './data-file-format.js'

const chunkSize = 1 << 20
/** Bytes after which written data is flushed, so that no flush is long and holds up the journal's. */
const flushEvery = 4 << 20

/**
 * Writes a snapshot that is whole or not there. Its first line is the header, its last one the number of
 * lines between.
 */
export async function createSnapshot(
  path: string,
  fill: (writer: SnapshotWriter) => Promise<void> | void,
): Promise<void> {
  await writeFileAtomicWith(path, async file => {
    const writer = new SnapshotWriter(file.fd)
    await fill(writer)
    writer.finish()
  })
}

/** Writes the collections to a snapshot. */
export async function writeSnapshot(path: string, data: Collections): Promise<void> {
  await createSnapshot(path, writer => {
    for (const kind of Object.keys(data) as Kind[]) {
      for (const [key, value] of data[kind] as Map<string, unknown>) {
        writer.writeRecord([kind, key, value])
      }
    }
  })
}

/**
 * Collects lines into large writes, and flushes them now and then. It writes at once and not in the background:
 * in the thread that folds, with its priority, and not in those that write the journal.
 */
export class SnapshotWriter {
  readonly #file: number
  readonly #chunk = Buffer.allocUnsafe(chunkSize)
  #filled = 0
  #unflushed = 0
  #lines = 0

  constructor(file: number) {
    this.#file = file
    this.#add(
      Buffer.from(
        encodeChecksumLine({ smsrelay: 'snapshot', format: formatVersion } satisfies Header),
      ),
    )
  }

  /** Adds so many whole lines, each with its line feed. */
  write(bytes: Buffer, lines = 1): void {
    this.#lines += lines
    this.#add(bytes)
  }

  /** Adds the line of a record. */
  writeRecord(entry: readonly [kind: Kind, key: string, value: unknown]): void {
    this.write(Buffer.from(encodeChecksumLine([entry])))
  }

  /** Adds the last line and writes everything. */
  finish(): void {
    this.#add(Buffer.from(encodeChecksumLine({ lines: this.#lines } satisfies Trailer)))
    this.#empty()
  }

  #add(bytes: Buffer): void {
    if (this.#filled + bytes.length > chunkSize) this.#empty()
    if (bytes.length > chunkSize) this.#put(bytes)
    else this.#filled += bytes.copy(this.#chunk, this.#filled)
  }

  #empty(): void {
    this.#put(this.#chunk.subarray(0, this.#filled))
    this.#filled = 0
  }

  #put(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done)
    this.#unflushed += bytes.length
    if (this.#unflushed < flushEvery) return
    fdatasyncSync(this.#file)
    this.#unflushed = 0
  }
}
