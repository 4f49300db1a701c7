import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ProblemList } from '../../../../domain/account/problem-list.js'
import { errorText, isRelayError, RelayError } from '../../../../errors.js'
import type { Metrics } from '../../../../util/collections/metrics.js'
import { getDataFileName, getFileNumber } from '../files/data-files.js'
import { JournalFile } from '../files/journal-file.js'
import type { ManifestFile, SnapshotEntry } from '../files/manifest.js'
import type { CompactionJob } from './compact-journals.js'

/**
 * Compacts journals in the background. Rejects with `damaged_data`, and if the signal is aborted
 * before the end.
 */
export type RunCompaction = (job: CompactionJob, signal: AbortSignal) => Promise<SnapshotEntry>

export type CompactionResult =
  | { readonly snapshot: SnapshotEntry }
  | { readonly damage: { readonly message: string; readonly hint: string | undefined } }

export interface CompactionOptions {
  readonly warn?: (sentence: string) => void
  readonly compactAbove?: number
  readonly metrics?: Metrics
  readonly problems?: ProblemList
  readonly runCompaction?: RunCompaction
}

const defaultCompactAbove = 16 << 20

/**
 * Compacts journals that have grown: begins a new journal and, while it is written to, merges the
 * ones before it into a new snapshot. The manifest makes both steps take effect.
 */
export class Compaction {
  readonly #manifest: ManifestFile
  readonly #options: CompactionOptions
  readonly #compactAbove: number
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  #isDamaged = false
  /** After a failed compaction: length of the current journal at which it is tried again. */
  #retryAt = 0

  constructor(manifest: ManifestFile, options: CompactionOptions) {
    this.#manifest = manifest
    this.#options = options
    this.#compactAbove = options.compactAbove ?? defaultCompactAbove
    options.metrics?.set('store_damaged', 0)
    for (const result of ['done', 'failed', 'damaged'] as const) this.#count(result, 0)
  }

  /** Begins a compaction if it is due; resolves to the journal for the next append. */
  async afterAppend(journal: JournalFile): Promise<JournalFile> {
    if (!this.#isDue(journal.length)) return journal
    try {
      const next = await this.#beginJournal(journal)
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
    if (this.#running !== undefined || this.#isDamaged || length < this.#retryAt) return false
    const { snapshot, journals } = this.#manifest.current
    const older = journals.slice(0, -1).reduce((sum, each) => sum + each.length, 0)
    return older + length > Math.max(this.#compactAbove, (snapshot?.length ?? 0) / 2)
  }

  /** The new journal is durable before the manifest names it, and has changes only after that. */
  async #beginJournal(journal: JournalFile): Promise<JournalFile> {
    const { name, last } = journal.entry
    const { directory } = this.#manifest
    await this.#manifest.assertSameDirectory()
    const next = await JournalFile.create(directory, getFileNumber(name) + 1, last + 1)
    try {
      await this.#manifest.update(({ journals, ...rest }) => ({
        ...rest,
        journals: [...journals.slice(0, -1), journal.entry, { ...next.entry, open: true }],
      }))
    } catch (error) {
      await next.discard()
      throw error
    }
    await journal.close({ isInManifest: true })
    return next
  }

  async #compact(): Promise<void> {
    const { snapshot, journals } = this.#manifest.current
    const closed = journals.filter(each => each.open !== true)
    const { directory } = this.#manifest
    const target = getDataFileName('snapshot', getFileNumber(journals.at(-1)?.name ?? ''))
    try {
      const { runCompaction = compactInWorker } = this.#options
      const job: CompactionJob = { directory, snapshot, journals: closed, target }
      const compacted = await runCompaction(job, this.#stopping.signal)
      await this.#manifest.update(current => ({
        snapshot: compacted,
        journals: current.journals.slice(closed.length),
      }))
      for (const each of [snapshot, ...closed])
        if (each !== undefined) await rm(join(directory, each.name), { force: true })
      this.#count('done')
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      if (isRelayError(error, 'damaged_data')) this.#reportDamage(error)
      else this.#fail(error, 0)
    }
  }

  /**
   * A failed compaction is not retried: the damage stays, and records in memory are not affected.
   */
  #reportDamage(error: RelayError): void {
    this.#isDamaged = true
    this.#count('damaged')
    const { warn, metrics, problems } = this.#options
    const { directory } = this.#manifest
    const message =
      `The data on disk is damaged: ${error.message} The relay goes on with the records in ` +
      'memory and stores changes, but it cannot start again with this directory.'
    const hint =
      `Check the disk, run \`smsrelay data check --data ${directory}\`, and have a backup ready ` +
      'before you stop the relay.'
    metrics?.set('store_damaged', 1)
    problems?.set({ code: 'store_damaged', message, hint })
    warn?.(`${message} ${hint}`)
  }

  #count(result: 'done' | 'failed' | 'damaged', by = 1): void {
    this.#options.metrics?.increment(`store_compactions_total{result="${result}"}`, by)
  }

  #fail(error: unknown, length: number): void {
    this.#count('failed')
    this.#retryAt = length + Math.max(this.#compactAbove / 4, 1)
    const reason = errorText(error)
    const { directory } = this.#manifest
    this.#options.warn?.(
      `The journal in ${directory} cannot be compacted and keeps growing: ${reason}`,
    )
  }
}

async function compactInWorker(job: CompactionJob, signal: AbortSignal): Promise<SnapshotEntry> {
  const worker = new Worker(new URL('./compaction-worker.js', import.meta.url), { workerData: job })
  const stop = (): void => void worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  let result: CompactionResult | undefined
  worker.on('message', message => {
    result = message
  })
  try {
    const [code] = await once(worker, 'exit')
    if (result === undefined) throw new Error(`The worker ended with ${code}.`)
  } finally {
    signal.removeEventListener('abort', stop)
  }
  if ('snapshot' in result) return result.snapshot
  const { message, hint } = result.damage
  throw new RelayError('damaged_data', message, hint === undefined ? {} : { hint })
}
