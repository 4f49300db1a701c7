import { headerLength, type Pdu, PduError } from './pdu.js'

/** Longest PDU in octets: a message_payload has at most 64 KiB. */
const maxPduLength = 0x11000

/** Divides received octets into PDUs; it holds at most one incomplete PDU. */
export class PduReader {
  readonly #length = Buffer.alloc(4)
  #partial: Buffer | undefined
  #filled = 0

  /**
   * Reads the next octets, and calls `onPdu` with each complete PDU. Throws {@link PduError} for an
   * impossible length; then nothing after it can be read.
   */
  read(chunk: Buffer, onPdu: (pdu: Pdu) => void): void {
    let at = this.#continue(chunk, onPdu)
    while (chunk.length - at >= 4) {
      const length = checkLength(chunk.readUInt32BE(at))
      if (chunk.length - at < length) break
      onPdu(parsePdu(chunk.subarray(at, at + length)))
      at += length
    }
    if (at < chunk.length) this.#keep(chunk.subarray(at))
  }

  /** Completes the PDU that began in an earlier chunk; returns how many octets it took. */
  #continue(chunk: Buffer, onPdu: (pdu: Pdu) => void): number {
    let at = 0
    if (this.#partial === undefined && this.#filled > 0) {
      at = chunk.copy(this.#length, this.#filled, 0, 4 - this.#filled)
      this.#filled += at
      if (this.#filled < 4) return at
      this.#begin(this.#length)
    }
    if (this.#partial === undefined) return at
    const count = chunk.copy(this.#partial, this.#filled, at)
    this.#filled += count
    if (this.#filled < this.#partial.length) return at + count
    const pdu = parsePdu(this.#partial)
    this.#partial = undefined
    this.#filled = 0
    onPdu(pdu)
    return at + count
  }

  #keep(rest: Buffer): void {
    if (rest.length < 4) this.#filled = rest.copy(this.#length)
    else this.#begin(rest)
  }

  #begin(octets: Buffer): void {
    this.#partial = Buffer.allocUnsafe(checkLength(octets.readUInt32BE(0)))
    this.#filled = octets.copy(this.#partial)
  }
}

function checkLength(length: number): number {
  if (length >= headerLength && length <= maxPduLength) return length
  throw new PduError(`A PDU cannot have ${length} octets.`)
}

function parsePdu(octets: Buffer): Pdu {
  return {
    command: octets.readUInt32BE(4),
    status: octets.readUInt32BE(8),
    sequence: octets.readUInt32BE(12),
    body: octets.subarray(headerLength),
  }
}
