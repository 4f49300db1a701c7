import { readRecordLength, readRecordSlot } from './record-layout.js'
import type { Slots } from './slots.js'

/** The message table's records begin at multiples of this, so that 32 bits address 32 GiB. */
const unit = 8
const slabSize = 256 << 10
const unitsPerSlab = slabSize / unit
/**
 * No record of the message table begins in front of this: the places 0 and 1 have other meanings.
 */
const firstRecord = 2 * unit

interface Slab {
  readonly bytes: Buffer
  readonly view: DataView
  readonly number: number
  filled: number
  used: number
}

export interface ReservedMemory {
  readonly bytes: Buffer
  readonly view: DataView
  readonly at: number
}

export const maxRecordLength = 64 << 10

/**
 * Memory for encoded records outside of the heap. Records are written behind each other. A slab
 * that is half free moves its other records to the end, at most 128 KiB at once, and is freed.
 */
export class Slabs {
  readonly #slots: Slots
  readonly #slabs: (Slab | undefined)[] = []
  readonly #freeNumbers: number[] = []
  #current: Slab | undefined

  constructor(slots: Slots) {
    this.#slots = slots
  }

  get size(): number {
    return (this.#slabs.length - this.#freeNumbers.length) * slabSize
  }

  /** Memory for a record of at most `length` bytes; it counts after {@link commit}. */
  reserve(length: number): ReservedMemory {
    let slab = this.#current
    if (slab === undefined || slab.filled + length > slabSize) slab = this.#addSlab()
    this.#current = slab
    return { bytes: slab.bytes, view: slab.view, at: slab.filled }
  }

  /** Takes the reserved memory up to `end`, a multiple of 8; returns the record's place. */
  commit(end: number): number {
    const slab = this.#current as Slab
    const place = slab.number * unitsPerSlab + slab.filled / unit
    slab.used += end - slab.filled
    slab.filled = end
    return place
  }

  getBytes(place: number): Buffer {
    return this.#getSlab(place).bytes
  }

  getOffset(place: number): number {
    return (place % unitsPerSlab) * unit
  }

  free(place: number): void {
    const slab = this.#getSlab(place)
    slab.used -= readRecordLength(slab.bytes, this.getOffset(place))
    if (slab === this.#current || 2 * slab.used > slabSize) return
    this.#move(slab)
    this.#slabs[slab.number] = undefined
    this.#freeNumbers.push(slab.number)
  }

  #move({ bytes, number, filled }: Slab): void {
    for (let from = firstRecord; from < filled; ) {
      const length = readRecordLength(bytes, from)
      const place = number * unitsPerSlab + from / unit
      const slot = readRecordSlot(bytes, from)
      if (this.#slots.getPlace(slot) === place) {
        const target = this.reserve(length)
        bytes.copy(target.bytes, target.at, from, from + length)
        this.#slots.setPlace(slot, this.commit(target.at + length))
      }
      from += length
    }
  }

  #getSlab(place: number): Slab {
    return this.#slabs[Math.floor(place / unitsPerSlab)] as Slab
  }

  #addSlab(): Slab {
    const number = this.#freeNumbers.pop() ?? this.#slabs.length
    const bytes = Buffer.allocUnsafeSlow(slabSize)
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    const slab = { bytes, view, number, filled: firstRecord, used: 0 }
    this.#slabs[number] = slab
    return slab
  }
}
