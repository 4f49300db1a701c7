import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Adapter } from 'lowdb'
import { RelayError } from '../../../../errors.js'
import type { AppendLog } from '../../../../util/files/append-log.js'
import { encodeChecksumBytes } from '../../../../util/files/checksum-line.js'
import { type Collections, createCollections, type Entry } from '../records/collections.js'
import { Compaction, type RunCompaction } from './compaction.js'
import { createJournal, openJournal, readDataFile } from './data-file-format.js'
import { type DataFiles, findDataFiles, getDataFilePath, listFilesToRead } from './data-files.js'
import { applyEntries } from './inspect-data.js'

/** Options of {@link JournalAdapter}. */
export interface JournalAdapterOptions {
  /** Told in one sentence what was mended while reading, or could not be done, and when it can be done again. */
  readonly warn?: (sentence: string) => void
  /**
   * Journals of more than this many bytes, and more than half the snapshot, are folded into a new
   * snapshot. @default 16 MiB
   */
  readonly compactAbove?: number
  /** Folds in the background. @default in a worker thread */
  readonly runCompaction?: RunCompaction
}

/**
 * The adapter between lowdb and the data directory: an append-only journal of changed records, one line a
 * group of transactions, over a snapshot. Snapshot K holds what the journals below K said.
 */
export class JournalAdapter implements Adapter<Collections> {
  readonly #directory: string
  readonly #options: JournalAdapterOptions
  readonly #compaction: Compaction
  #journal: AppendLog | undefined
  #staged: Entry[] = []
  #failing = false

  constructor(directory: string, options: JournalAdapterOptions = {}) {
    this.#directory = directory
    this.#options = options
    this.#compaction = new Compaction(directory, options)
  }

  /** Reads snapshot and journals, and opens the journal for writing. Throws `damaged_data`, `configuration`. */
  async read(): Promise<Collections> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const files = await findDataFiles(this.#directory)
    const data = createCollections()
    let length = 0
    for (const { path, last } of listFilesToRead(files)) {
      length = await this.#readFile(path, last, data)
    }
    for (const name of files.stale) await rm(join(this.#directory, name), { force: true })
    await this.#compaction.resume(files)
    this.#journal = await this.#compaction.afterAppend(await this.#openJournal(files, length))
    return data
  }

  /** Adds a transaction to what the next {@link write} makes durable. */
  stage(entries: readonly Entry[]): void {
    this.#staged.push(...entries)
  }

  /**
   * Appends what is staged as one line and waits until it is on the disk; after an error nothing of it is.
   * One line for all, so that a write that was cut short can only have damaged the last line.
   */
  async write(): Promise<void> {
    const staged = this.#staged
    this.#staged = []
    if (this.#journal === undefined) throw new RelayError('unavailable', 'The store is closed.')
    try {
      await this.#journal.append(encodeChecksumBytes(staged))
    } catch (error) {
      this.#fail(error)
      throw error
    }
    if (this.#failing) this.#recover()
    this.#journal = await this.#compaction.afterAppend(this.#journal)
  }

  /** Closes the journal; a compaction in hand is given up, and begun again after the next start. */
  async close(): Promise<void> {
    await this.#compaction.stop()
    await this.#journal?.close()
    this.#journal = undefined
  }

  #fail(error: unknown): void {
    if (this.#failing) return
    this.#failing = true
    const { code, message } = error as NodeJS.ErrnoException
    const what = `${this.#directory} cannot be written (${code ?? message})`
    this.#options.warn?.(`${what}: changes are refused until it can. Is the disk full?`)
  }

  #recover(): void {
    this.#failing = false
    this.#options.warn?.(`${this.#directory} can be written again: changes are accepted.`)
  }

  async #readFile(path: string, last: boolean, data: Collections): Promise<number> {
    const reading = await readDataFile(path, { allowTornTail: last }, value =>
      applyEntries(data, value),
    )
    if (reading.torn > 0) {
      this.#options.warn?.(
        `${path}: the last line was not written to its end when the service stopped; ` +
          `its ${reading.torn} bytes were cut off. No request it belonged to had been answered.`,
      )
    }
    return reading.length
  }

  /** Goes on with the last journal, or begins one; a journal without its first line is begun anew. */
  async #openJournal(
    { directory, snapshot, journals }: DataFiles,
    length: number,
  ): Promise<AppendLog> {
    const last = journals.at(-1)
    const path = getDataFilePath(directory, 'journal', last ?? Math.max(snapshot, 1))
    if (last !== undefined && length > 0) return await openJournal(path, length)
    await rm(path, { force: true })
    return await createJournal(path)
  }
}
