import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { readLog } from '../../../../util/files/log-reader.js'
import type { Entry } from '../records/collections.js'
import { createDamage, type Damage } from './damage.js'
import { assertKnownFormat, parseHeader } from './data-file-format.js'
import type { DataFile } from './data-files.js'
import type { JournalEntry } from './manifest.js'

export type OnChanges = (entries: readonly Entry[], sequence: number) => void

export interface JournalReading {
  readonly entry: JournalEntry
  readonly lines: number
  /** Bytes of the journal's torn tail after `entry.length`. */
  readonly torn: number
  readonly damages: readonly Damage[]
}

export interface JournalReadingOptions {
  /** Sequence number that the journal's first line must have; undefined if it is not known. */
  readonly first: number | undefined
  /** Whether an interrupted write may have left the journal's end. */
  readonly isLast: boolean
  readonly onBytes?: ((bytes: number) => void) | undefined
}

export async function readJournal(
  file: DataFile<JournalEntry>,
  { first, isLast, onBytes }: JournalReadingOptions,
  onChanges: OnChanges,
): Promise<JournalReading> {
  const { path, entry: expected } = file
  const lines = new JournalLines(file, first, onChanges)
  const allowTornTail = expected === undefined ? isLast : expected.open === true
  const log = await readLog(path, { allowTornTail }, (value, line, bytes) => {
    lines.read(value, line, bytes.toString('latin1', 0, 8))
    onBytes?.(bytes.length + 1)
  })
  const damages = [
    ...log.damage.map(({ line, bytes }) => createDamage(path, 'line', line, bytes)),
    ...lines.damages,
  ].sort((a, b) => a.line - b.line)
  if (log.length === 0 && !allowTornTail && damages.length === 0)
    damages.push(createDamage(path, 'line', 1))
  const entry = { ...lines.entry, length: log.length }
  if (expected !== undefined && damages.length === 0) {
    const { checksumAtLast } = lines
    const damage = await compareWithManifest(path, expected, { ...entry, checksumAtLast }, log)
    if (damage !== undefined) return { entry, lines: log.lines, torn: 0, damages: [damage] }
  }
  if (log.torn > 0) {
    const { lines: line, torn: bytes } = log
    damages.push({ path, line, kind: 'torn', cause: 'end', bytes })
  }
  return { entry, lines: log.lines, torn: log.torn, damages }
}

async function compareWithManifest(
  path: string,
  expected: JournalEntry,
  { length, last, checksumAtLast }: JournalEntry & { readonly checksumAtLast: string },
  { lines, torn }: { readonly lines: number; readonly torn: number },
): Promise<Damage | undefined> {
  if (length < expected.length || last < expected.last) {
    if (torn > 0) return createDamage(path, 'line', lines, torn)
    return createDamage(path, 'end', lines)
  }
  if (checksumAtLast !== expected.checksum) return createDamage(path, 'other')
  if (expected.open === true) {
    const hasSpace = await hasPreallocation(path, length)
    return hasSpace ? undefined : createDamage(path, 'end', lines)
  }
  const isExact = length === expected.length && last === expected.last
  return isExact ? undefined : createDamage(path, 'other')
}

/**
 * Whether a line feed follows the journal's last line, as it does while the journal is open. Zeros
 * instead of it are what some file systems leave of an interrupted preallocation.
 */
async function hasPreallocation(path: string, length: number): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
    return size > length && (buffer[0] === 10 || buffer[0] === 0)
  } finally {
    await file.close()
  }
}

class JournalLines {
  readonly damages: Damage[] = []
  checksumAtLast = ''
  readonly #path: string
  readonly #expectedLast: number | undefined
  readonly #onChanges: OnChanges
  /** Sequence number that the journal's next line must have; undefined if nothing says it. */
  #next: number | undefined
  #first = 0
  #last = 0
  #checksum = ''
  #line = 0

  constructor(
    { path, entry }: DataFile<JournalEntry>,
    first: number | undefined,
    onChanges: OnChanges,
  ) {
    this.#path = path
    this.#expectedLast = entry?.last
    this.#next = entry?.first ?? first
    this.#first = this.#next ?? 1
    this.#last = this.#first - 1
    this.#onChanges = onChanges
  }

  get entry(): Omit<JournalEntry, 'length'> {
    const name = basename(this.#path)
    return { name, first: this.#first, last: this.#last, checksum: this.#checksum }
  }

  read(value: unknown, line: number, checksum: string): void {
    const follows = line === this.#line + 1
    this.#line = line
    const isValid = line === 1 ? this.#readHeader(value) : this.#readChanges(value, line, follows)
    if (!isValid) return
    this.#checksum = checksum
    if (this.#last === this.#expectedLast) this.checksumAtLast = checksum
  }

  #readHeader(value: unknown): boolean {
    const header = parseHeader(value)
    if (header?.smsrelay !== 'journal') {
      this.#addDamage(1)
      return false
    }
    assertKnownFormat(this.#path, header)
    if (this.#next !== undefined && header.first !== this.#next) this.#addDamage(1)
    this.#next = header.first ?? 1
    this.#first = this.#next
    this.#last = this.#first - 1
    return true
  }

  #readChanges(value: unknown, line: number, follows: boolean): boolean {
    const [sequence, ...entries] = [value].flat()
    if (!Array.isArray(value) || typeof sequence !== 'number') {
      this.#addDamage(line)
      return false
    }
    // The damaged lines before this one are reported on their own.
    const isExpected = this.#next === undefined || sequence === this.#next
    const isBehindDamage = !follows && sequence > this.#last
    if (!isExpected && !isBehindDamage) this.#addDamage(line)
    this.#onChanges(entries as Entry[], sequence)
    if (sequence <= this.#last) return false
    this.#last = sequence
    this.#next = sequence + 1
    return true
  }

  #addDamage(line: number): void {
    this.damages.push(createDamage(this.#path, 'line', line))
  }
}

/**
 * Passes changes on in the order of their sequence numbers and each once, so that exchanged and
 * repeated lines do no harm. Retains the changes after a gap until the end of the journal.
 */
export class SortedChanges {
  readonly #onChanges: OnChanges
  #last: number | undefined
  #retained: Map<number, readonly Entry[]> | undefined

  constructor(onChanges: OnChanges) {
    this.#onChanges = onChanges
  }

  readonly add: OnChanges = (entries, sequence) => {
    if (this.#retained === undefined) {
      const next = this.#last === undefined ? sequence : this.#last + 1
      if (sequence < next) return
      if (sequence === next) {
        this.#last = sequence
        this.#onChanges(entries, sequence)
        return
      }
    }
    this.#retained ??= new Map()
    this.#retained.set(sequence, this.#retained.get(sequence) ?? entries)
  }

  finish(): void {
    const sorted = [...(this.#retained ?? [])].sort(([a], [b]) => a - b)
    for (const [sequence, entries] of sorted) this.#onChanges(entries, sequence)
  }
}
