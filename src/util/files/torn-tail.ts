import { crc32 } from 'node:zlib'

/** Bytes that a disk writes whole or not at all, at offsets that are multiples of them. */
const sectorSize = 512

/**
 * The bytes after the last whole line of a log, except line feeds at the end, which are
 * preallocated. An interrupted write leaves any part of its bytes where the file grew, and any of
 * its 512-byte sectors where it filled preallocated space. A line contains no line feed before its
 * end, so line feeds inside the tail are sectors that were not written.
 */
export class TornTail {
  readonly #start: number
  #end: number
  #isOneWrite = true

  constructor(start: number) {
    this.#start = start
    this.#end = start
  }

  /**
   * Adds to the torn tail: bytes without a line feed that are not a whole line, at their offset in
   * the file.
   */
  add(bytes: Buffer, at: number): void {
    if (at === this.#start) this.#isOneWrite = !startsWithWholeLine(bytes)
    else if (!this.#isSectorBoundary(this.#end) || !this.#isSectorBoundary(at)) {
      // Zeros in the torn tail are space that a file system allocated and did not fill.
      if (bytes.some(byte => byte !== 0)) this.#isOneWrite = false
    }
    this.#end = at + bytes.length
  }

  /** Bytes of a file's torn tail up to the last one that is not a line feed. */
  get length(): number {
    return this.#end - this.#start
  }

  get isOneWrite(): boolean {
    return this.#isOneWrite
  }

  #isSectorBoundary(offset: number): boolean {
    return offset === this.#start || offset % sectorSize === 0
  }
}

/**
 * Whether the bytes begin with a whole line of the log file that is damaged only in its line feed:
 * other bytes stand in its place.
 */
function startsWithWholeLine(bytes: Buffer): boolean {
  const expected = Number.parseInt(bytes.toString('latin1', 0, 8), 16)
  let sum = 0
  let from = 9
  for (let to = from + 1; to <= bytes.length - 2; to += 1) {
    if (!closingBrackets.has(bytes[to - 1])) continue
    sum = crc32(bytes.subarray(from, to), sum)
    from = to
    if (sum === expected) return true
  }
  return false
}

/** The last byte of the JSON of a log line: `]` or `}`. */
const closingBrackets = new Set<number | undefined>([0x5d, 0x7d])
