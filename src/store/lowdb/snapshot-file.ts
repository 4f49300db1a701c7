import type { FileHandle } from 'node:fs/promises'
import { replaceFileWith } from '../../util/replace-file.js'
import type { Collections, Kind } from './collections.js'
import { encodeLine, formatVersion, type Header, type Trailer } from './line.js'

const chunkSize = 1 << 20
/** Bytes after which written data is flushed, so that no flush is long and holds up the journal's. */
const flushEvery = 8 << 20
const lineFeed = Buffer.from('\n')

/**
 * Writes a snapshot that is whole or not there. Its first line is the header, its last one the number of
 * lines between.
 */
export async function createSnapshot(
  path: string,
  fill: (writer: SnapshotWriter) => Promise<void>,
): Promise<void> {
  await replaceFileWith(path, async file => {
    const writer = new SnapshotWriter(file)
    await fill(writer)
    await writer.finish()
  })
}

/** Writes the collections to a snapshot. */
export async function writeSnapshot(path: string, data: Collections): Promise<void> {
  await createSnapshot(path, async writer => {
    for (const kind of Object.keys(data) as Kind[]) {
      for (const [key, value] of data[kind] as Map<string, unknown>) {
        await writer.write(encodeLine([[kind, key, value]]))
      }
    }
  })
}

/** Collects lines into large writes, and flushes them now and then. */
export class SnapshotWriter {
  readonly #file: FileHandle
  #chunks: Buffer[] = [
    Buffer.from(encodeLine({ smsrelay: 'snapshot', format: formatVersion } satisfies Header)),
  ]
  #size = 0
  #unflushed = 0
  #lines = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  /** Adds a line: text with its line feed, or the bytes of one without, which must not change. */
  write(line: Buffer | string): Promise<void> | undefined {
    this.#lines += 1
    if (typeof line === 'string') this.#add(Buffer.from(line))
    else this.#add(line, lineFeed)
    return this.#size < chunkSize ? undefined : this.#flush()
  }

  /** Adds the last line and writes everything. */
  async finish(): Promise<void> {
    this.#add(Buffer.from(encodeLine({ lines: this.#lines } satisfies Trailer)))
    await this.#flush()
  }

  #add(...chunks: Buffer[]): void {
    this.#chunks.push(...chunks)
    for (const chunk of chunks) this.#size += chunk.length
  }

  async #flush(): Promise<void> {
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
