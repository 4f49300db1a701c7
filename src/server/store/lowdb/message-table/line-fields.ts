import { createPattern, hasPattern, hasSpecialByte } from './byte-words.js'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const closingBrace = 0x7d
/** Longer numbers of a stored line are not exact. */
const maxDigits = 15

/** The fields of messages, in the order in which they usually are; a lease is not among them. */
const names = [
  ...(['id', 'account', 'destination', 'number', 'text', 'source', 'status'] as const),
  ...(['createdAt', 'sendAt', 'statusAt', 'failures', 'retryAt', 'lastHolder'] as const),
  ...(['parts', 'error', 'reportKey', 'before', 'phone', 'delivery', 'attempts'] as const),
  'leases' as const,
]
export type FieldName = (typeof names)[number]

export const field = Object.fromEntries(names.map((name, index) => [name, index])) as Record<
  FieldName,
  number
>
const requiredFields = (1 << (field.failures + 1)) - 1
const keys = names.map(name => createPattern(`"${name}":`))
const isNumber = names.map(name => /At$|^failures$|^parts$/.test(name))

export class LineFields {
  /**
   * By the index of a field in the stored line: the number, or the offset of the string behind its
   * quotation mark.
   */
  readonly starts = new Float64Array(names.length)
  /**
   * By the index of a field in the stored line: the offset of the quotation mark that ends the
   * string.
   */
  readonly ends = new Float64Array(names.length)
  view: DataView = new DataView(new ArrayBuffer(0))
  hasNonAscii = false
  hasEscapes = false
  #end = 0
  #found = 0

  /**
   * Finds the fields of the object that begins at `start`, in a line that ends before `end`.
   * Returns the offset behind the object; -1 if it has no valid fields, or an unknown one, or not
   * all that a message must have.
   */
  find(block: Buffer, start: number, end: number): number {
    if (this.view.buffer !== block.buffer || this.view.byteOffset !== block.byteOffset)
      this.view = new DataView(block.buffer, block.byteOffset)
    this.hasNonAscii = false
    this.hasEscapes = false
    this.#end = end
    this.#found = 0
    const at = this.#findAll(start + 1)
    return (this.#found & requiredFields) === requiredFields ? at : -1
  }

  has(index: number): boolean {
    return (this.#found & (1 << index)) !== 0
  }

  start(index: number): number {
    return this.starts[index] as number
  }

  end(index: number): number {
    return this.ends[index] as number
  }

  #findAll(start: number): number {
    let expected = 0
    for (let at = start; at < this.#end; at += 1) {
      const index = this.#findKey(at, expected)
      if (index === -1 || this.has(index)) return -1
      expected = index + 1
      this.#found |= 1 << index
      at += keys[index]?.length ?? 0
      at = isNumber[index] ? this.#readNumber(index, at) : this.#readString(index, at)
      if (at === -1 || at >= this.#end) return -1
      const byte = this.view.getUint8(at)
      if (byte === closingBrace) return at + 1
      if (byte !== comma) return -1
    }
    return -1
  }

  /** The field of a stored message line whose key is at an offset; -1 if it is missing. */
  #findKey(at: number, expected: number): number {
    for (let step = 0; step < keys.length; step += 1) {
      const index = (expected + step) % keys.length
      const key = keys[index]
      if (key !== undefined && hasPattern(this.view, at, this.#end, key)) return index
    }
    return -1
  }

  /** Returns the offset behind a number of the stored message line; -1 if it is missing. */
  #readNumber(index: number, start: number): number {
    let value = 0
    let at = start
    for (; at < this.#end && at - start < maxDigits; at += 1) {
      const digit = this.view.getUint8(at) - 0x30
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    this.starts[index] = value
    const hasLeadingZero = at > start + 1 && this.view.getUint8(start) === 0x30
    return at === start || hasLeadingZero ? -1 : at
  }

  /** Returns the offset behind a string of the stored message line; -1 if it is missing. */
  #readString(index: number, start: number): number {
    const [view, end] = [this.view, this.#end]
    if (start >= end || view.getUint8(start) !== quote) return -1
    for (let at = start + 1; at < end; at += 1) {
      while (at + 4 <= end && !hasSpecialByte(view.getInt32(at, true))) at += 4
      const byte = at < end ? view.getUint8(at) : quote
      if (byte === quote) {
        this.starts[index] = start + 1
        this.ends[index] = at
        return at + 1
      }
      if (byte === backslash) {
        this.hasEscapes = true
        at += 1
      } else if (byte >= 0x80) this.hasNonAscii = true
    }
    return -1
  }
}
