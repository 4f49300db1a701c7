import { fdatasyncSync, writeSync } from 'node:fs'
import { writeFileAtomicWith } from '../../../../util/files/atomic-write.js'
import { encodeChecksumLine } from '../../../../util/files/checksum-line.js'
import type { Collections, Kind } from '../records/collections.js'
import { formatVersion, type Header, type Trailer } from './data-file-format.js'

const chunkSize = 1 << 20
/** Bytes of a snapshot between syncs: a longer sync would delay those of the journal. */
const syncEvery = 4 << 20

/** Writes a snapshot atomically: header, the lines that `fill` writes, trailer. */
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
 * Collects lines of a snapshot into large synchronous writes. These run in the worker thread with
 * its low priority; asynchronous ones would use the threads that write the journal.
 */
export class SnapshotWriter {
  readonly #file: number
  readonly #chunk = Buffer.allocUnsafe(chunkSize)
  #filled = 0
  #unsynced = 0
  #lines = 0

  constructor(file: number) {
    this.#file = file
    this.#add(
      Buffer.from(
        encodeChecksumLine({ smsrelay: 'snapshot', format: formatVersion } satisfies Header),
      ),
    )
  }

  write(bytes: Buffer, lines = 1): void {
    this.#lines += lines
    this.#add(bytes)
  }

  writeRecord(entry: readonly [kind: Kind, key: string, value: unknown]): void {
    this.write(Buffer.from(encodeChecksumLine([entry])))
  }

  finish(): void {
    this.#add(Buffer.from(encodeChecksumLine({ lines: this.#lines } satisfies Trailer)))
    this.#writeChunk()
  }

  #add(bytes: Buffer): void {
    if (this.#filled + bytes.length > chunkSize) this.#writeChunk()
    if (bytes.length > chunkSize) this.#put(bytes)
    else this.#filled += bytes.copy(this.#chunk, this.#filled)
  }

  #writeChunk(): void {
    this.#put(this.#chunk.subarray(0, this.#filled))
    this.#filled = 0
  }

  #put(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done)
    this.#unsynced += bytes.length
    if (this.#unsynced < syncEvery) return
    fdatasyncSync(this.#file)
    this.#unsynced = 0
  }
}
