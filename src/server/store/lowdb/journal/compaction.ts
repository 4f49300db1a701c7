import { once } from 'node:events'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { errorText } from '../../../../errors.js'
import type { AppendLog } from '../../../../util/files/append-log.js'
import type { CompactionJob } from './compact-journals.js'
import { createJournal } from './data-file-format.js'
import { type DataFiles, findDataFiles, getDataFilePath } from './data-files.js'

/**
 * Compacts the store's journals in the background; rejects if the signal is aborted before the end.
 */
export type RunCompaction = (job: CompactionJob, signal: AbortSignal) => Promise<void>

export interface CompactionOptions {
  readonly warn?: (sentence: string) => void
  readonly compactAbove?: number
  readonly runCompaction?: RunCompaction
}

const defaultCompactAbove = 16 << 20

/**
 * Compacts the store's journals that have grown: begins a new journal and, while it is written to,
 * merges the ones before it into a new snapshot.
 */
export class Compaction {
  readonly #directory: string
  readonly #compactAbove: number
  readonly #runCompaction: RunCompaction
  readonly #warn: (sentence: string) => void
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  /** Bytes in the journals before the current one. */
  #olderLength = 0
  #snapshotSize = 0
  #number = 1
  /** After a failed compaction: length of the current journal at which it is retried. */
  #retryAt = 0

  constructor(directory: string, options: CompactionOptions) {
    this.#directory = directory
    this.#compactAbove = options.compactAbove ?? defaultCompactAbove
    this.#runCompaction = options.runCompaction ?? compactInWorker
    this.#warn = options.warn ?? (() => {})
  }

  /** Begins with the journals and snapshot of the data directory. */
  async resume({ directory, snapshot, journals }: DataFiles): Promise<void> {
    this.#number = journals.at(-1) ?? Math.max(snapshot, 1)
    if (snapshot > 0)
      this.#snapshotSize = await getFileSize(getDataFilePath(directory, 'snapshot', snapshot))
    for (const number of journals.slice(0, -1)) {
      this.#olderLength += await getFileSize(getDataFilePath(directory, 'journal', number))
    }
  }

  /** Begins a compaction if the journal has grown; resolves to the journal for the next append. */
  async afterAppend(journal: AppendLog): Promise<AppendLog> {
    if (!this.#isDue(journal.length)) return journal
    try {
      const next = await createJournal(
        getDataFilePath(this.#directory, 'journal', this.#number + 1),
      )
      await journal.close()
      this.#olderLength += journal.length
      this.#number += 1
      this.#retryAt = 0
      this.#running = this.#compact().finally(() => {
        this.#running = undefined
      })
      return next
    } catch (error) {
      this.#fail(error, journal.length)
      return journal
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  #isDue(length: number): boolean {
    if (this.#running !== undefined || length < this.#retryAt) return false
    return this.#olderLength + length > Math.max(this.#compactAbove, this.#snapshotSize / 2)
  }

  async #compact(): Promise<void> {
    try {
      const files = await findDataFiles(this.#directory)
      const target = getDataFilePath(this.#directory, 'snapshot', this.#number)
      await this.#runCompaction(
        createCompactionJob(files, this.#number, target),
        this.#stopping.signal,
      )
      this.#snapshotSize = await getFileSize(target)
      this.#olderLength = 0
      const { stale } = await findDataFiles(this.#directory)
      for (const name of stale) await rm(join(this.#directory, name), { force: true })
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#fail(error, 0)
    }
  }

  #fail(error: unknown, length: number): void {
    this.#retryAt = length + Math.max(this.#compactAbove / 4, 1)
    const reason = errorText(error)
    this.#warn(`The journal in ${this.#directory} cannot be compacted and keeps growing: ${reason}`)
  }
}

async function compactInWorker(job: CompactionJob, signal: AbortSignal): Promise<void> {
  const worker = new Worker(new URL('./compaction-worker.js', import.meta.url), { workerData: job })
  const stop = (): void => void worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [code] = await once(worker, 'exit')
    if (code !== 0) throw new Error(`The worker ended with ${code}.`)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function createCompactionJob(
  { directory, snapshot, journals }: DataFiles,
  next: number,
  target: string,
): CompactionJob {
  return {
    snapshot: snapshot > 0 ? getDataFilePath(directory, 'snapshot', snapshot) : undefined,
    journals: journals
      .filter(number => number < next)
      .map(number => getDataFilePath(directory, 'journal', number)),
    target,
  }
}

async function getFileSize(path: string): Promise<number> {
  return (await stat(path)).size
}
