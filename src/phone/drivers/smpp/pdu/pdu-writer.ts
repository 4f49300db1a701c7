import { headerLength } from './pdu.js'

const firstSize = 1024
const largestSize = 65_536

/** Encodes PDUs one after another into one buffer. */
export class PduWriter {
  #buffer = Buffer.allocUnsafeSlow(firstSize)
  #start = 0
  #at = 0

  /** Octets that {@link take} would return. */
  get length(): number {
    return this.#at
  }

  /** Begins a PDU; the other methods add its body, {@link end} completes it. */
  begin(command: number, status: number, sequence: number): void {
    this.#reserve(headerLength)
    this.#start = this.#at
    this.#at += 4
    this.uint32(command)
    this.uint32(status)
    this.uint32(sequence)
  }

  end(): void {
    const at = this.#at
    this.#at = this.#start
    this.uint32(at - this.#start)
    this.#at = at
  }

  uint8(value: number): void {
    this.#reserve(1)
    this.#buffer[this.#at] = value
    this.#at += 1
  }

  uint16(value: number): void {
    this.uint8(value >>> 8)
    this.uint8(value)
  }

  uint32(value: number): void {
    this.#reserve(4)
    const buffer = this.#buffer
    const at = this.#at
    buffer[at] = value >>> 24
    buffer[at + 1] = value >>> 16
    buffer[at + 2] = value >>> 8
    buffer[at + 3] = value
    this.#at = at + 4
  }

  octets(octets: Uint8Array): void {
    this.#reserve(octets.length)
    this.#buffer.set(octets, this.#at)
    this.#at += octets.length
  }

  /** Adds a text with a NUL at its end (SMPP 3.4 section 3.1). */
  cString(text: string): void {
    this.#reserve(text.length + 1)
    const buffer = this.#buffer
    let at = this.#at
    for (let index = 0; index < text.length; index += 1) buffer[at++] = text.charCodeAt(index)
    buffer[at] = 0
    this.#at = at + 1
  }

  /** Returns what was written since the last call; the writer continues in another buffer. */
  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.#at)
    const isFull = this.#at * 2 > this.#buffer.length
    const size = Math.min(this.#buffer.length * (isFull ? 2 : 1), largestSize)
    this.#buffer = Buffer.allocUnsafeSlow(size)
    this.#at = 0
    return taken
  }

  #reserve(count: number): void {
    const needed = this.#at + count
    if (needed <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2))
    this.#buffer.copy(larger, 0, 0, this.#at)
    this.#buffer = larger
  }
}
