// The data files of the embedded store: a journal of changes over a snapshot.
//
// 1. `journal-adapter` reads the newest snapshot and the journals that follow it (`data-files`,
//    `data-file-format`), truncates a torn tail and opens the last journal.
// 2. Each write of the engine appends one line with the changes of a group of transactions.
// 3. When the journals have grown, `compaction` begins a new journal. A worker thread
//    (`compaction-worker`, `compact-journals`) merges the ones before it with the snapshot into a
//    new one (`snapshot-file`), after which the old files are deleted.
// 4. `inspect-data` and `data-tools` check, repair, export, import and back up a directory.
//
// Snapshot K has the changes of all journals below K. A crash at any point leaves files that open.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Adapter } from 'lowdb'
import type { ProblemList } from '../../../../domain/account/problem-list.js'
import { RelayError } from '../../../../errors.js'
import type { Metrics } from '../../../../util/collections/metrics.js'
import type { AppendLog } from '../../../../util/files/append-log.js'
import { encodeChecksumBytes } from '../../../../util/files/checksum-line.js'
import { getFailureReason } from '../../../../util/files/file-error.js'
import {
  applyEntries,
  type Collections,
  createCollections,
  type Entry,
} from '../records/collections.js'
import { Compaction, type RunCompaction } from './compaction.js'
import { createJournal, openJournal, readDataFile } from './data-file-format.js'
import { type DataFiles, findDataFiles, getDataFilePath, listFilesToRead } from './data-files.js'

export interface JournalAdapterOptions {
  /**
   * Called with one sentence if a journal's torn tail was truncated, or if writing fails or works
   * again.
   */
  readonly warn?: (sentence: string) => void
  /**
   * Journals of more than this many bytes, and of more than half the snapshot, are compacted into a
   * new snapshot. @default 16 MiB
   */
  readonly compactAbove?: number
  readonly metrics?: Metrics
  /** Gets the problem `store_damaged`. */
  readonly problems?: ProblemList
  /** Compacts journals in the background. @default in a worker thread */
  readonly runCompaction?: RunCompaction
}

/** The adapter between lowdb and the data directory. */
export class JournalAdapter implements Adapter<Collections> {
  readonly #directory: string
  readonly #options: JournalAdapterOptions
  readonly #compaction: Compaction
  #journal: AppendLog | undefined
  #staged: Entry[] = []
  #isFailing = false

  constructor(directory: string, options: JournalAdapterOptions = {}) {
    this.#directory = directory
    this.#options = options
    this.#compaction = new Compaction(directory, options)
  }

  /** Reads the store's files and opens the journal. Throws `damaged_data` and `configuration`. */
  async read(): Promise<Collections> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const files = await findDataFiles(this.#directory)
    const data = createCollections()
    let length = 0
    for (const { path, isLast } of listFilesToRead(files)) {
      length = await this.#readFile(path, isLast, data)
    }
    for (const name of files.stale) await rm(join(this.#directory, name), { force: true })
    await this.#compaction.resume(files)
    this.#journal = await this.#compaction.afterAppend(await this.#openJournal(files, length))
    return data
  }

  /** Adds the entries of a transaction to the journal's next {@link write}. */
  stage(entries: readonly Entry[]): void {
    this.#staged.push(...entries)
  }

  /**
   * Appends the staged entries to the journal as one line and waits until it is on the disk; after
   * an error the file has none of them. An interrupted write can thus damage only the last line.
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
    if (this.#isFailing) this.#recover()
    this.#journal = await this.#compaction.afterAppend(this.#journal)
  }

  async close(): Promise<void> {
    await this.#compaction.stop()
    await this.#journal?.close()
    this.#journal = undefined
  }

  #fail(error: unknown): void {
    if (this.#isFailing) return
    this.#isFailing = true
    const reason = getFailureReason(error)
    this.#options.warn?.(
      `${this.#directory} cannot be written (${reason}); changes are rejected. Is the disk full?`,
    )
  }

  #recover(): void {
    this.#isFailing = false
    this.#options.warn?.(`${this.#directory} can be written again; changes are accepted.`)
  }

  async #readFile(path: string, isLast: boolean, data: Collections): Promise<number> {
    const reading = await readDataFile(path, { allowTornTail: isLast }, value =>
      applyEntries(data, value),
    )
    if (reading.torn > 0) {
      this.#options.warn?.(
        `${path} ended with a torn line; its ${reading.torn} bytes were truncated. ` +
          'No request that caused it had been answered.',
      )
    }
    return reading.length
  }

  /** Opens the last journal; creates one if it does not exist or has no whole line. */
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
