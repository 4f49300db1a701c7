import { startsWithWholeLine } from '../../server/store/lowdb/journal/journal-line.js'

/** Bytes that a disk writes whole or not at all, at offsets that are multiples of them. */
const sectorSize = 512

/**
 * What follows the last whole line of a journal. Line feeds are room for what will be written. Anything else may be what a
 * write that was cut short has left there: any part of it where the file became longer, any of its sectors where it was to
 * fill room. A line has no line feed but its last byte, so those within are sectors that were not written.
 */
export class TornTail {
  /** Offset in the file. */
  readonly from: number
  #end: number
  #isOneWrite = true

  constructor(from: number) {
    this.from = from
    this.#end = from
  }

  /** Takes bytes without a line feed, which make no whole line, at their offset in the file. */
  add(bytes: Buffer, at: number): void {
    if (at === this.from) this.#isOneWrite = !startsWithWholeLine(bytes)
    else if (!isBetweenSectors(this.#end, this.from) || !isBetweenSectors(at, this.from)) {
      this.#isOneWrite = false
    }
    this.#end = at + bytes.length
  }

  /** Bytes until the last one that is no line feed. */
  get length(): number {
    return this.#end - this.from
  }

  /** Whether one write can have left this. */
  get isOneWrite(): boolean {
    return this.#isOneWrite
  }
}

function isBetweenSectors(offset: number, from: number): boolean {
  return offset === from || offset % sectorSize === 0
}
