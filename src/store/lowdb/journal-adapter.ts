import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Adapter } from 'lowdb'
import { RelayError } from '../../errors.js'
import {
  applyEntry,
  type Collections,
  type Entry,
  emptyCollections,
  isKind,
} from './collections.js'
import { JournalFile, readLines } from './journal-file.js'
import { encodeLine } from './line.js'
import { writeSnapshot } from './snapshot-file.js'

/** Options of {@link JournalAdapter}. */
export interface JournalAdapterOptions {
  /** Told in one sentence what was mended while reading. */
  readonly warn?: (sentence: string) => void
  /** A journal larger than the snapshot and this many bytes is folded into it when read. @default 1 MiB */
  readonly foldAbove?: number
}

/**
 * The adapter between lowdb and the data directory: an append-only journal of changed records, one line a
 * group of transactions, over a snapshot. Snapshot K holds what the journals below K said.
 */
export class JournalAdapter implements Adapter<Collections> {
  readonly #directory: string
  readonly #options: JournalAdapterOptions
  #journal: JournalFile | undefined
  #staged: Entry[] = []

  constructor(directory: string, options: JournalAdapterOptions = {}) {
    this.#directory = directory
    this.#options = options
  }

  /** Reads snapshot and journals, and opens the journal for writing. Throws `damaged_data`, `configuration`. */
  async read(): Promise<Collections> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const files = await this.#files()
    const data = emptyCollections()
    const apply = (value: unknown): void => applyTransaction(data, value)
    if (files.snapshot > 0) await readLines(this.#path('snapshot', files.snapshot), false, apply)
    let length = 0
    for (const number of files.journals) {
      length = await this.#readJournal(number, number === files.journals.at(-1), apply)
    }
    await this.#resume(files, data, length)
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
    const line = encodeLine(staged)
    await this.#journal?.append(line)
  }

  /** Closes the journal. */
  async close(): Promise<void> {
    await this.#journal?.close()
    this.#journal = undefined
  }

  async #readJournal(
    number: number,
    last: boolean,
    apply: (value: unknown) => void,
  ): Promise<number> {
    const path = this.#path('journal', number)
    const reading = await readLines(path, last, apply)
    if (reading.torn > 0) {
      this.#options.warn?.(
        `${path}: the last line was not written to its end when the service stopped; ` +
          `its ${reading.torn} bytes were cut off. No request it belonged to had been answered.`,
      )
    }
    return reading.length
  }

  async #resume(files: Files, data: Collections, length: number): Promise<void> {
    const last = files.journals.at(-1)
    const fold = length > (this.#options.foldAbove ?? 1 << 20) || files.journals.length > 1
    if (last !== undefined && length > 0 && !fold) {
      this.#journal = await JournalFile.resume(this.#path('journal', last), length)
      return
    }
    const next = last === undefined ? Math.max(files.snapshot, 1) : last + 1
    if (last !== undefined) await writeSnapshot(this.#path('snapshot', next), data)
    this.#journal = await JournalFile.create(this.#path('journal', next))
    for (const name of files.stale(next)) await rm(join(this.#directory, name), { force: true })
  }

  async #files(): Promise<Files> {
    const names = await readdir(this.#directory)
    const snapshots = numbers(names, 'snapshot')
    const snapshot = snapshots.at(-1) ?? 0
    const journals = numbers(names, 'journal').filter(number => number >= snapshot)
    if (snapshot === 0 && (journals[0] ?? 1) > 1) {
      throw new RelayError('damaged_data', `The snapshot in ${this.#directory} is missing.`, {
        hint: 'Restore the data directory from a backup. Nothing was changed.',
      })
    }
    const stale = (below: number): string[] => names.filter(name => isOlder(name, below))
    return { snapshot, journals, stale }
  }

  #path(kind: FileKind, number: number): string {
    return join(this.#directory, fileName(kind, number))
  }
}

type FileKind = 'snapshot' | 'journal'

interface Files {
  /** Number of the newest snapshot, 0 when there is none. */
  readonly snapshot: number
  /** Numbers of the journals that follow it, ascending. */
  readonly journals: readonly number[]
  /** Names of the files that a snapshot of that number makes useless. */
  readonly stale: (below: number) => string[]
}

function fileName(kind: FileKind, number: number): string {
  return `${kind}-${String(number).padStart(6, '0')}.ndjson`
}

function numbers(names: readonly string[], kind: FileKind): number[] {
  const found = names.map(name => /^(snapshot|journal)-(\d{6,})\.ndjson$/.exec(name))
  return found
    .filter(match => match?.[1] === kind)
    .map(match => Number(match?.[2]))
    .sort((a, b) => a - b)
}

function isOlder(name: string, below: number): boolean {
  if (/^snapshot-\d+\.ndjson\.tmp$/.test(name)) return true
  const number = /^(?:snapshot|journal)-(\d+)\.ndjson$/.exec(name)?.[1]
  return number !== undefined && Number(number) < below
}

function applyTransaction(data: Collections, value: unknown): void {
  for (const entry of value as Entry[]) {
    if (isKind(data, entry[0])) applyEntry(data, entry)
  }
}
