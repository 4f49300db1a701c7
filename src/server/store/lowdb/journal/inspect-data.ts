// The reader of a data directory. Start, compaction, check, export, repair and backup read through
// it, so that they agree about what is damaged.
//
// `findDataFiles` says which files are read; `readSnapshot` and `readJournal` read one each, call
// back with the records and changes of whole lines, and list the damage.
import { open } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { OnProgress } from '../../../../util/async/progress.js'
import { isMissingFile } from '../../../../util/files/file-error.js'
import { getContentLength } from '../../../../util/files/log-reader.js'
import { createDamage, type Damage } from '../files/damage.js'
import {
  type DataFiles,
  type FindOptions,
  findDataFiles,
  listFilesToRead,
} from '../files/data-files.js'
import type { JournalEntry, SnapshotEntry } from '../files/manifest.js'
import { type OnChanges, readJournal, SortedChanges } from '../files/read-journal.js'
import { type OnRecord, readSnapshot } from '../files/read-snapshot.js'
import {
  applyEntries,
  applyLine,
  type Collections,
  createCollections,
} from '../records/collections.js'

export type { Damage } from '../files/damage.js'

export interface DataReading {
  readonly files: DataFiles
  readonly read: readonly { readonly path: string; readonly lines: number }[]
  readonly damages: readonly Damage[]
  readonly snapshot: SnapshotEntry | undefined
  readonly journals: readonly JournalEntry[]
  readonly last: number
}

export interface Inspection extends DataReading {
  readonly data: Collections
}

export interface DataReceiver {
  readonly onRecord: OnRecord
  readonly onChanges: OnChanges
  readonly onBytes?: ((bytes: number) => void) | undefined
}

export interface ReadOptions extends FindOptions {
  readonly onProgress?: OnProgress | undefined
}

const maxAttempts = 20

/**
 * Reads the whole lines of the store's data directory, which a relay may use, and lists the others.
 * Changes nothing. Throws `configuration` for another format.
 */
export async function inspectData(
  directory: string,
  options: ReadOptions = {},
): Promise<Inspection> {
  const read = async (files: DataFiles): Promise<Inspection> => {
    const data = createCollections()
    const receiver: DataReceiver = {
      onRecord: (bytes, start, end) => applyLine(data, bytes, start, end),
      onChanges: entries => applyEntries(data, entries),
    }
    return { ...(await readDataFiles(files, receiver, options)), data }
  }
  return await readStable(directory, read, options)
}

export async function verifyData(
  directory: string,
  options: ReadOptions = {},
): Promise<DataReading> {
  const receiver: DataReceiver = { onRecord: () => {}, onChanges: () => {} }
  return await readStable(directory, async files => await readDataFiles(files, receiver, options))
}

/** Bytes of the store's files without their preallocation; a missing file has none. */
export async function measureDataFiles(files: DataFiles): Promise<number> {
  const lengths = listFilesToRead(files).map(async path => {
    try {
      await using file = await open(path)
      return await getContentLength(file)
    } catch (error) {
      if (isMissingFile(error)) return 0
      throw error
    }
  })
  return (await Promise.all(lengths)).reduce((sum, length) => sum + length, 0)
}

/** Repeats a reading that found damage if a relay replaced the files in the meantime. */
async function readStable<T extends DataReading>(
  directory: string,
  read: (files: DataFiles) => Promise<T>,
  options: FindOptions = {},
): Promise<T> {
  let files = await findDataFiles(directory, options)
  for (let attempt = 1; ; attempt += 1) {
    const reading = await read(files)
    if (reading.damages.length === 0 || attempt === maxAttempts) return reading
    const now = await findDataFiles(directory, options)
    if (isDeepStrictEqual(now, files)) return reading
    files = now
  }
}

async function readDataFiles(
  files: DataFiles,
  receiver: DataReceiver,
  { onProgress }: ReadOptions,
): Promise<DataReading> {
  const total = onProgress === undefined ? 0 : await measureDataFiles(files)
  let finished = 0
  const onBytes =
    onProgress &&
    ((bytes: number) => {
      finished += bytes
      onProgress(finished, total)
    })
  const reader = new DataReader(files, { ...receiver, onBytes })
  if (files.snapshot !== undefined) await reader.readSnapshot(files.snapshot)
  for (const journal of files.journals) await reader.readJournal(journal)
  return reader.result
}

class DataReader {
  readonly #files: DataFiles
  readonly #receiver: DataReceiver
  readonly #read: { path: string; lines: number }[] = []
  readonly #damages: Damage[]
  #snapshot: SnapshotEntry | undefined
  readonly #journals: JournalEntry[] = []
  /** Sequence number of the last change in the data files; undefined if no file names it. */
  #last: number | undefined

  constructor(files: DataFiles, receiver: DataReceiver) {
    this.#files = files
    this.#receiver = receiver
    this.#damages = [...files.damages]
    this.#last = files.snapshot === undefined ? 0 : undefined
  }

  get result(): DataReading {
    return {
      files: this.#files,
      read: this.#read,
      damages: this.#damages,
      snapshot: this.#snapshot,
      journals: this.#journals,
      last: this.#last ?? 0,
    }
  }

  async readSnapshot(file: NonNullable<DataFiles['snapshot']>): Promise<void> {
    await this.#withMissing(file.path, async () => {
      const { onRecord, onBytes } = this.#receiver
      const { entry, lines, damages } = await readSnapshot(file, onRecord, { onBytes })
      this.#read.push({ path: file.path, lines })
      this.#damages.push(...damages)
      this.#snapshot = entry
      this.#last = entry?.last
    })
  }

  async readJournal(file: DataFiles['journals'][number]): Promise<void> {
    const isLast = file === this.#files.journals.at(-1)
    const first = this.#last === undefined ? undefined : this.#last + 1
    await this.#withMissing(file.path, async () => {
      const { onChanges, onBytes } = this.#receiver
      const changes = new SortedChanges(onChanges)
      const reading = await readJournal(file, { first, isLast, onBytes }, changes.add)
      changes.finish()
      this.#read.push({ path: file.path, lines: reading.lines })
      this.#damages.push(...reading.damages)
      this.#journals.push(reading.entry)
      this.#last = reading.entry.last
    })
  }

  async #withMissing(path: string, read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      if (!isMissingFile(error)) throw error
      this.#damages.push(createDamage(path, 'missing'))
      this.#last = undefined
    }
  }
}
