// The data files of the embedded store: a journal of changes over a snapshot, and a manifest that
// names them. `../files` has one kind of file each; `data-file-format` describes them.
//
// 1. `journal-adapter` reads the files with `inspect-data` (`manifest`, `data-files`,
//    `read-snapshot`, `read-journal`). It refuses `damage`, saves and truncates a torn line, and
//    opens the last `journal-file`.
// 2. Each write of the engine appends one line with the changes of a group of transactions.
// 3. When the journals have grown, `compaction` begins a new journal. A worker thread
//    (`compaction-worker`, `compact-journals`) checks the ones before it and the snapshot, and
//    merges them into a new snapshot (`snapshot-file`).
// 4. `data-tools` checks, repairs, exports, imports and backs up a directory.
//
// Only files that the manifest names count. Each step makes its files durable, then replaces the
// manifest, then deletes the files that it no longer names: a crash at any point leaves files that
// open. A record line of a snapshot reaches the reader as bytes (`OnRecord` in `read-snapshot`), so
// that it can be stored without being parsed.
import { access, constants, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Adapter } from 'lowdb'
import type { ProblemList } from '../../../../domain/account/problem-list.js'
import { getErrorCode, RelayError } from '../../../../errors.js'
import type { Metrics } from '../../../../util/collections/metrics.js'
import { getFailureReason } from '../../../../util/files/file-error.js'
import { makeDirectory } from '../../../../util/files/make-directory.js'
import { assertUndamaged, describeTornLine } from '../files/damage.js'
import { getFileNumber } from '../files/data-files.js'
import { JournalFile, saveTornLine } from '../files/journal-file.js'
import { type JournalEntry, type Manifest, ManifestFile, manifestName } from '../files/manifest.js'
import type { Collections, Entry } from '../records/collections.js'
import { Compaction, type RunCompaction } from './compaction.js'
import { inspectData } from './inspect-data.js'

export interface JournalAdapterOptions {
  /**
   * Called with one sentence if a journal's torn tail was truncated, or if writing fails or works
   * again.
   */
  readonly warn?: (sentence: string) => void
  /**
   * The store's journals of more than this many bytes, and of more than half the snapshot, are
   * compacted into a new snapshot. @default 16 MiB
   */
  readonly compactAbove?: number
  readonly metrics?: Metrics
  readonly problems?: ProblemList
  /** Compacts journals in the background. @default in a worker thread */
  readonly runCompaction?: RunCompaction
}

export class JournalAdapter implements Adapter<Collections> {
  readonly #directory: string
  readonly #options: JournalAdapterOptions
  #manifest: ManifestFile | undefined
  #compaction: Compaction | undefined
  /** The store's open journal; undefined while a full disk prevents that it is opened. */
  #journal: JournalFile | undefined
  /** The store's last journal as it was read, until it is open. */
  #found: JournalEntry | undefined
  /** Bytes of the journal's torn line after that. */
  #torn = 0
  #staged: Entry[] = []
  #failure: string | undefined

  constructor(directory: string, options: JournalAdapterOptions = {}) {
    this.#directory = directory
    this.#options = options
  }

  async read(): Promise<Collections> {
    await makeDirectory(this.#directory)
    const { files, journals, damages, data } = await inspectData(this.#directory)
    assertUndamaged(damages)
    this.#found = journals.at(-1)
    this.#torn = damages.find(each => each.kind === 'torn')?.bytes ?? 0
    for (const name of files.stale) await rm(join(this.#directory, name), { force: true })
    const manifest = new ManifestFile(this.#directory, files.manifest ?? { journals: [] })
    this.#manifest = manifest
    this.#options.metrics?.addSource(async () => await this.#setSizeGauges(manifest))
    this.#compaction = new Compaction(manifest, this.#options)
    try {
      const journal = await this.#openJournal(manifest)
      this.#journal = await this.#compaction.afterAppend(journal)
    } catch (error) {
      // Reads work on a full disk; the next change tries again.
      if (this.#found === undefined || !fullDiskCodes.has(getErrorCode(error))) throw error
      this.#fail(error)
    }
    return data
  }

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
    if (this.#manifest === undefined) throw new RelayError('unavailable', 'The store is closed.')
    try {
      this.#journal ??= await this.#openJournal(this.#manifest)
      await this.#journal.append(staged)
    } catch (error) {
      this.#fail(error)
      throw error
    }
    if (this.isFailing) this.#recover()
    this.#journal = (await this.#compaction?.afterAppend(this.#journal)) ?? this.#journal
  }

  get isFailing(): boolean {
    return this.#failure !== undefined
  }

  async findWriteFailure(): Promise<string | undefined> {
    try {
      await access(this.#directory, constants.W_OK)
      const { bavail, blocks } = await statfs(this.#directory)
      if (this.#failure === undefined && (bavail > 0 || blocks === 0)) return undefined
      return `The data directory cannot be written (${this.#failure ?? 'ENOSPC'}).`
    } catch (error) {
      return `The data directory cannot be written (${getErrorCode(error)}).`
    }
  }

  async close(): Promise<void> {
    const [manifest, journal] = [this.#manifest, this.#journal]
    this.#manifest = undefined
    this.#journal = undefined
    await this.#compaction?.stop()
    if (manifest === undefined || journal === undefined) return
    const isInManifest = await manifest
      .update(current => withLastJournal(current, journal.entry))
      .then(
        () => true,
        () => false,
      )
    await journal.close({ isInManifest })
  }

  async #setSizeGauges({ current: { snapshot, journals } }: ManifestFile): Promise<void> {
    const older = journals.slice(0, -1).reduce((sum, { length }) => sum + length, 0)
    const { metrics } = this.#options
    metrics?.set('store_journal_bytes', older + (this.#journal?.length ?? 0))
    metrics?.set('store_snapshot_bytes', snapshot?.length ?? 0)
    // A compaction may have replaced the snapshot meanwhile.
    const file = join(this.#directory, snapshot?.name ?? manifestName)
    const written = snapshot === undefined ? undefined : await stat(file).catch(() => undefined)
    metrics?.set('store_snapshot_timestamp_seconds', (written?.mtimeMs ?? 0) / 1000)
    metrics?.remove('store_free_bytes')
    const { bavail, bsize } = await statfs(this.#directory)
    metrics?.set('store_free_bytes', bavail * bsize)
  }

  #fail(error: unknown): void {
    const wasFailing = this.isFailing
    const reason = getFailureReason(error)
    this.#failure = reason
    if (wasFailing) return
    this.#options.warn?.(
      `${this.#directory} cannot be written (${reason}); changes are rejected. Is the disk full?`,
    )
  }

  #recover(): void {
    this.#failure = undefined
    this.#options.warn?.(`${this.#directory} can be written again; changes are accepted.`)
  }

  async #openJournal(manifest: ManifestFile): Promise<JournalFile> {
    const found = this.#found
    const { snapshot, journals } = manifest.current
    const number = Math.max(1, getFileNumber(snapshot?.name ?? ''))
    const journal =
      found === undefined
        ? await JournalFile.create(this.#directory, number, (snapshot?.last ?? 0) + 1)
        : await this.#openFoundJournal(found)
    try {
      const entry = { ...journal.entry, open: true } as const
      await manifest.update(current =>
        journals.length === 0 ? { ...current, journals: [entry] } : withLastJournal(current, entry),
      )
    } catch (error) {
      if (found === undefined) await journal.discard()
      else await journal.close({ isInManifest: false })
      throw error
    }
    return journal
  }

  async #openFoundJournal(found: JournalEntry): Promise<JournalFile> {
    const path = join(this.#directory, found.name)
    const copy = this.#torn > 0 ? await saveTornLine(path, found.length) : ''
    const journal = await JournalFile.open(this.#directory, found)
    if (this.#torn > 0) this.#options.warn?.(describeTornLine(path, this.#torn, copy))
    this.#torn = 0
    return journal
  }
}

const fullDiskCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

function withLastJournal(manifest: Manifest, entry: JournalEntry): Manifest {
  return { ...manifest, journals: [...manifest.journals.slice(0, -1), entry] }
}
