import { fdatasyncSync, writeSync } from 'node:fs'
import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import type { OnProgress } from '../../../../util/async/progress.js'
import { writeFileAtomicWith } from '../../../../util/files/atomic-write.js'
import { encodeChecksumBytes, formatCrc } from '../../../../util/files/checksum-line.js'
import type { Collections, Kind } from '../records/collections.js'
import { type Footer, formatVersion, type Header } from './data-file-format.js'
import type { SnapshotEntry } from './manifest.js'

const chunkSize = 1 << 20
/** Bytes of a snapshot between syncs: a longer sync would delay those of the journal. */
const syncEvery = 4 << 20

/**
 * Writes a snapshot atomically: header, the lines that `fill` writes, footer. If `fill` throws, no
 * file is left.
 *
 * @param last sequence number of the last change in the snapshot
 */
export async function createSnapshot(
  path: string,
  last: number,
  fill: (writer: SnapshotWriter) => Promise<void> | void,
): Promise<SnapshotEntry> {
  let entry: SnapshotEntry | undefined
  await writeFileAtomicWith(path, async file => {
    const writer = new SnapshotWriter(file.fd)
    await fill(writer)
    entry = { name: basename(path), ...writer.finish(last) }
  })
  return entry as SnapshotEntry
}

export async function writeSnapshot(
  path: string,
  last: number,
  data: Collections,
  onProgress?: OnProgress,
): Promise<SnapshotEntry> {
  const total = Object.values(data).reduce((sum, records) => sum + records.size, 0)
  let finished = 0
  return await createSnapshot(path, last, writer => {
    for (const kind of Object.keys(data) as Kind[])
      for (const [key, value] of data[kind].entries()) {
        writer.writeRecord([kind, key, value])
        finished += 1
        onProgress?.(finished, total)
      }
  })
}

/**
 * Collects lines into large synchronous writes. These run in the worker thread with its low
 * priority; asynchronous ones would use the threads that write the journal.
 */
export class SnapshotWriter {
  readonly #file: number
  readonly #chunk = Buffer.allocUnsafe(chunkSize)
  #filled = 0
  #unsynced = 0
  #records = 0
  #length = 0
  #checksum = 0

  constructor(file: number) {
    this.#file = file
    const header: Header = { smsrelay: 'snapshot', format: formatVersion }
    this.#add(encodeChecksumBytes(header))
  }

  write(bytes: Buffer, start = 0, end = bytes.length): void {
    this.#records += 1
    this.#add(bytes, start, end)
  }

  writeRecord(entry: readonly [kind: Kind, key: string, value: unknown]): void {
    this.write(encodeChecksumBytes([entry]))
  }

  finish(last: number): Omit<SnapshotEntry, 'name'> {
    this.#writeChunk()
    const footer: Footer = {
      records: this.#records,
      checksum: formatCrc(this.#checksum),
      last,
    }
    this.#put(encodeChecksumBytes(footer))
    return { ...footer, length: this.#length }
  }

  #add(bytes: Buffer, start = 0, end = bytes.length): void {
    const length = end - start
    if (this.#filled + length > chunkSize) this.#writeChunk()
    if (length > chunkSize) this.#put(bytes.subarray(start, end))
    else this.#filled += bytes.copy(this.#chunk, this.#filled, start, end)
  }

  #writeChunk(): void {
    this.#put(this.#chunk.subarray(0, this.#filled))
    this.#filled = 0
  }

  #put(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done)
    this.#length += bytes.length
    this.#checksum = crc32(bytes, this.#checksum)
    this.#unsynced += bytes.length
    if (this.#unsynced < syncEvery) return
    fdatasyncSync(this.#file)
    this.#unsynced = 0
  }
}
