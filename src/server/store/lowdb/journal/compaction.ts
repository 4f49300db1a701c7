import { once } from 'node:events'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { errorText } from '../../../../errors.js'
import type { AppendLog } from '../../../../util/files/append-log.js'
import type { CompactionJob } from './compact-journals.js'
import { createJournal } from './data-file-format.js'
import { type DataFiles, findDataFiles, getDataFilePath } from './data-files.js'

/** Folds in the background; rejects when the signal is aborted before it is done. */
export type RunCompaction = (job: CompactionJob, signal: AbortSignal) => Promise<void>

/** Options of {@link Compaction}. */
export interface CompactionOptions {
  readonly warn?: (sentence: string) => void
  readonly compactAbove?: number
  readonly runCompaction?: RunCompaction
}

const defaultCompactAbove = 16 << 20

/**
 * Keeps the journals short: when they have grown, a new one is begun, and the ones before it are folded into
 * a new snapshot while the service goes on.
 */
export class Compaction {
  readonly #directory: string
  readonly #foldAbove: number
  readonly #runFold: RunCompaction
  readonly #warn: (sentence: string) => void
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  /** Bytes in the journals before the one in use. */
  #older = 0
  #snapshotSize = 0
  #number = 1
  /** Length of the journal in use below which a compaction that failed is not tried again. */
  #notBelow = 0

  constructor(directory: string, options: CompactionOptions) {
    this.#directory = directory
    this.#foldAbove = options.compactAbove ?? defaultCompactAbove
    this.#runFold = options.runCompaction ?? compactInWorker
    this.#warn = options.warn ?? (() => {})
  }

  /** Takes up the files as they were found. */
  async resume({ directory, snapshot, journals }: DataFiles): Promise<void> {
    this.#number = journals.at(-1) ?? Math.max(snapshot, 1)
    if (snapshot > 0)
      this.#snapshotSize = await getFileSize(getDataFilePath(directory, 'snapshot', snapshot))
    for (const number of journals.slice(0, -1)) {
      this.#older += await getFileSize(getDataFilePath(directory, 'journal', number))
    }
  }

  /** The journal to go on with: a new one when a compaction begins. */
  async afterAppend(journal: AppendLog): Promise<AppendLog> {
    if (!this.#isDue(journal.length)) return journal
    try {
      const next = await createJournal(
        getDataFilePath(this.#directory, 'journal', this.#number + 1),
      )
      await journal.close()
      this.#older += journal.length
      this.#number += 1
      this.#notBelow = 0
      this.#running = this.#fold().finally(() => {
        this.#running = undefined
      })
      return next
    } catch (error) {
      this.#failed(error, journal.length)
      return journal
    }
  }

  /** Gives up what is in hand. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  #isDue(length: number): boolean {
    if (this.#running !== undefined || length < this.#notBelow) return false
    return this.#older + length > Math.max(this.#foldAbove, this.#snapshotSize / 2)
  }

  async #fold(): Promise<void> {
    try {
      const files = await findDataFiles(this.#directory)
      const target = getDataFilePath(this.#directory, 'snapshot', this.#number)
      await this.#runFold(createCompactionJob(files, this.#number, target), this.#stopping.signal)
      this.#snapshotSize = await getFileSize(target)
      this.#older = 0
      const { stale } = await findDataFiles(this.#directory)
      for (const name of stale) await rm(join(this.#directory, name), { force: true })
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#failed(error, 0)
    }
  }

  #failed(error: unknown, length: number): void {
    this.#notBelow = length + Math.max(this.#foldAbove / 4, 1)
    const why = errorText(error)
    this.#warn(`The journal in ${this.#directory} could not be folded and goes on growing: ${why}`)
  }
}

/** Folds in a worker thread, so that the service goes on meanwhile. */
export async function compactInWorker(job: CompactionJob, signal: AbortSignal): Promise<void> {
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
