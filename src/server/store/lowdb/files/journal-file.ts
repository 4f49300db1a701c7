import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppendLog } from '../../../../util/files/append-log.js'
import { writeFileAtomicWith } from '../../../../util/files/atomic-write.js'
import { encodeChecksumBytes } from '../../../../util/files/checksum-line.js'
import { getContentLength } from '../../../../util/files/log-reader.js'
import type { Entry } from '../records/collections.js'
import { formatVersion, type Header } from './data-file-format.js'
import { getDataFileName } from './data-files.js'
import type { JournalEntry } from './manifest.js'

const options = { preallocate: 256 << 10 }

export class JournalFile {
  readonly #path: string
  readonly #log: AppendLog
  readonly #name: string
  /** Sequence numbers of the journal's first line, and of its last one. */
  readonly #first: number
  #last: number
  #checksum: string

  private constructor(path: string, log: AppendLog, entry: Omit<JournalEntry, 'length'>) {
    this.#path = path
    this.#log = log
    this.#name = entry.name
    this.#first = entry.first
    this.#last = entry.last
    this.#checksum = entry.checksum
  }

  /**
   * Creates a journal without lines; after an error there is no file.
   *
   * @param first sequence number of its first line
   */
  static async create(directory: string, number: number, first: number): Promise<JournalFile> {
    const name = getDataFileName('journal', number)
    const path = join(directory, name)
    const header: Header = { smsrelay: 'journal', format: formatVersion, first }
    const bytes = encodeChecksumBytes(header)
    const log = await AppendLog.create(path, bytes, options)
    return new JournalFile(path, log, {
      name,
      first,
      last: first - 1,
      checksum: bytes.toString('latin1', 0, 8),
    })
  }

  /** Opens a journal to append after its last whole line; what follows that is truncated. */
  static async open(directory: string, entry: JournalEntry): Promise<JournalFile> {
    const path = join(directory, entry.name)
    const log = await AppendLog.open(path, { ...options, length: entry.length })
    const { name, first, last, checksum } = entry
    return new JournalFile(path, log, { name, first, last, checksum })
  }

  get length(): number {
    return this.#log.length
  }

  get entry(): JournalEntry {
    return {
      name: this.#name,
      first: this.#first,
      last: this.#last,
      length: this.#log.length,
      checksum: this.#checksum,
    }
  }

  async append(entries: readonly Entry[]): Promise<void> {
    const last = this.#last + 1
    const bytes = encodeChecksumBytes([last, ...entries])
    await this.#log.append(bytes)
    this.#last = last
    this.#checksum = bytes.toString('latin1', 0, 8)
  }

  /**
   * Closes the journal's file. The space after the last line is removed only if the manifest
   * already has the exact length: otherwise the file would look as if it had been cut.
   */
  async close({ isInManifest }: { readonly isInManifest: boolean }): Promise<void> {
    await this.#log.close({ keepPreallocation: !isInManifest })
  }

  async discard(): Promise<void> {
    await this.#log.close()
    await rm(this.#path, { force: true })
  }
}

/** Saves the bytes after the journal's last whole line in another file; resolves to its path. */
export async function saveTornLine(path: string, length: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.max((await getContentLength(file)) - length, 0))
    await file.read(bytes, 0, bytes.length, length)
    const copy = `${path}.torn-${length}`
    await writeFileAtomicWith(copy, async target => await target.writeFile(bytes))
    return copy
  } finally {
    await file.close()
  }
}
