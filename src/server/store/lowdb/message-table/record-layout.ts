// The record of a final message in memory; numbers are little-endian.
//
//   0 slot (6 bytes)    6 length / 8 (2)     8 createdAt (6)    14 statusAt (6)    20 account (4)
//   24 status (1)      25 source, flags (1)  26 present fields (1)     27 failures (2)
//   29 sendAt (6), retryAt (6), parts (2), before (1): those that are present
//   then destination, number, text, lastHolder, error, reportKey, phone, delivery, attempts and
//   leases that are present, each as its length in bytes (2) and its bytes; four have flags
//
// `account` is a number of the table's list of accounts. `sendAt` is absent if it is `createdAt`,
// `number` if it is `destination`.
import { type Status, statusNames } from '../../../../domain/message/message.js'

export const statuses = Object.keys(statusNames) as Status[]

export const present = {
  sendAt: 1,
  number: 2,
  retryAt: 4,
  parts: 8,
  before: 16,
  lastHolder: 32,
  error: 64,
  reportKey: 128,
} as const

const optionalStrings = [present.number, present.lastHolder, present.error, present.reportKey]

/** Flags in the stored message record's byte for the source. */
export const hasNonAscii = 0x40
export const hasEscapes = 0x80
export const hasDelivery = 0x20
export const hasPhone = 0x10
export const hasAttempts = 0x08
export const hasLeases = 0x04
const sourceMask = 0x03

const alignment = 8
/** Bytes of a record without its strings, at most. */
export const maxNumbersLength = 29 + 15 + alignment
const maxTime = 2 ** 48 - 1
const maxShort = 2 ** 16 - 1

export interface RecordNumbers {
  readonly slot: number
  readonly account: number
  /** Numbers of a stored record: indexes of {@link statuses} and of the sources. */
  readonly status: number
  readonly source: number
  /** The sum of {@link hasNonAscii}, {@link hasEscapes} and those of fields. */
  readonly flags: number
  readonly present: number
  readonly createdAt: number
  readonly statusAt: number
  readonly sendAt: number
  readonly failures: number
  readonly retryAt: number
  readonly parts: number
  readonly before: number
}

export function isTime(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maxTime
}

export function isShort(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maxShort
}

/** Writes the numbers of a record, except its length; returns the offset of its strings. */
export function writeNumbers(bytes: Uint8Array, at: number, numbers: RecordNumbers): number {
  writeTime(bytes, at, numbers.slot)
  writeTime(bytes, at + 8, numbers.createdAt)
  writeTime(bytes, at + 14, numbers.statusAt)
  writeShort(bytes, writeShort(bytes, at + 20, numbers.account), numbers.account >>> 16)
  bytes[at + 24] = numbers.status
  bytes[at + 25] = numbers.source | numbers.flags
  bytes[at + 26] = numbers.present
  let end = writeShort(bytes, at + 27, numbers.failures)
  if ((numbers.present & present.sendAt) !== 0) end = writeTime(bytes, end, numbers.sendAt)
  if ((numbers.present & present.retryAt) !== 0) end = writeTime(bytes, end, numbers.retryAt)
  if ((numbers.present & present.parts) !== 0) end = writeShort(bytes, end, numbers.parts)
  if ((numbers.present & present.before) !== 0) bytes[end++] = numbers.before
  return end
}

/** Writes the length of a record that ends before `end`; returns the end of its memory. */
export function writeLength(bytes: Uint8Array, at: number, end: number): number {
  const units = Math.ceil((end - at) / alignment)
  writeShort(bytes, at + 6, units)
  return at + units * alignment
}

export function writeShort(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = value
  bytes[at + 1] = value >>> 8
  return at + 2
}

function writeTime(bytes: Uint8Array, at: number, value: number): number {
  const high = Math.floor(value / 2 ** 32)
  bytes[at] = value
  bytes[at + 1] = value >>> 8
  bytes[at + 2] = value >>> 16
  bytes[at + 3] = value >>> 24
  bytes[at + 4] = high
  bytes[at + 5] = high >>> 8
  return at + 6
}

export function readRecordSlot(bytes: Uint8Array, at: number): number {
  return readTime(bytes, at)
}

export function readRecordLength(bytes: Uint8Array, at: number): number {
  return readShort(bytes, at + 6) * alignment
}

export function readCreatedAt(bytes: Uint8Array, at: number): number {
  return readTime(bytes, at + 8)
}

export function readStatusAt(bytes: Uint8Array, at: number): number {
  return readTime(bytes, at + 14)
}

export function readAccount(bytes: Uint8Array, at: number): number {
  return readShort(bytes, at + 20) + readShort(bytes, at + 22) * 2 ** 16
}

export function readStatus(bytes: Uint8Array, at: number): Status {
  return statuses[bytes[at + 24] as number] as Status
}

export function readFailures(bytes: Uint8Array, at: number): number {
  return readShort(bytes, at + 27)
}

export function readSource(bytes: Uint8Array, at: number): number {
  return (bytes[at + 25] as number) & sourceMask
}

export function setFlag(bytes: Uint8Array, at: number, flag: number): void {
  bytes[at + 25] = (bytes[at + 25] as number) | flag
}

/** Reads the fields behind the first 29 bytes of a record, in their order. */
export class RecordReader {
  readonly bytes: Buffer
  readonly #start: number
  readonly #present: number
  readonly #flags: number
  at: number

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes
    this.#present = bytes[at + 26] as number
    this.#flags = bytes[at + 25] as number
    this.at = this.#start = at + 29
  }

  has(field: number): boolean {
    return (this.#present & field) !== 0
  }

  hasFlag(flag: number): boolean {
    return (this.#flags & flag) !== 0
  }

  /** Whether the bytes of the stored record's strings are their characters. */
  get isAscii(): boolean {
    return (this.#flags & (hasNonAscii | hasEscapes)) === 0
  }

  readTime(): number {
    this.at += 6
    return readTime(this.bytes, this.at - 6)
  }

  readShort(): number {
    this.at += 2
    return readShort(this.bytes, this.at - 2)
  }

  readStatus(): Status {
    this.at += 1
    return statuses[this.bytes[this.at - 1] as number] as Status
  }

  readString(): string {
    const start = this.at + 2
    this.skipString()
    if (this.isAscii) return this.bytes.toString('latin1', start, this.at)
    const text = this.bytes.toString('utf8', start, this.at)
    return (this.#flags & hasEscapes) === 0 ? text : (JSON.parse(`"${text}"`) as string)
  }

  skipString(): void {
    this.at += 2 + readShort(this.bytes, this.at)
  }

  /** The first characters of the string here, perhaps with more of them; stays here. */
  readStart(length: number): string {
    const { at } = this
    const end = at + 2 + Math.min(length, readShort(this.bytes, at))
    if (this.isAscii) return this.bytes.toString('latin1', at + 2, end)
    const text = this.readString()
    this.at = at
    return text
  }

  /** Moves to the first string behind the report key. */
  skipToPhone(): void {
    this.at = this.#start
    this.skipNumbers()
    for (let count = 2; count > 0; count -= 1) this.skipString()
    for (const field of optionalStrings) if (this.has(field)) this.skipString()
  }

  /** Moves to the first string of the stored record, the destination. */
  skipNumbers(): void {
    if (this.has(present.sendAt)) this.at += 6
    if (this.has(present.retryAt)) this.at += 6
    if (this.has(present.parts)) this.at += 2
    if (this.has(present.before)) this.at += 1
  }
}

/** Reads the field `delivery` without decoding the rest of the record. */
export function readDelivery(bytes: Buffer, at: number): string | undefined {
  const reader = new RecordReader(bytes, at)
  if (!reader.hasFlag(hasDelivery)) return undefined
  reader.skipToPhone()
  if (reader.hasFlag(hasPhone)) reader.skipString()
  return reader.readString()
}

function readShort(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
}

function readTime(bytes: Uint8Array, at: number): number {
  return (
    readShort(bytes, at) + readShort(bytes, at + 2) * 2 ** 16 + readShort(bytes, at + 4) * 2 ** 32
  )
}
