import type { UuidWords } from './uuid-words.js'

const chunkSize = 1024
/** Places of a slot without a record: the slot is free, or its message is an object. */
const freeSlot = 0
export const objectPlace = 1

/** The message table's slots from a multiple of 1,024 on. */
interface Chunk {
  readonly ids: Int32Array
  readonly places: Uint32Array
  used: number
}

/**
 * The slots of messages: numbers in order of insertion, which are not used again. Each has the
 * message's id and the place of its record. Chunks without a used slot are freed.
 */
export class Slots {
  readonly #chunks = new Map<number, Chunk>()
  #lastNumber = -1
  #lastChunk: Chunk | undefined
  #next = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Takes the next slot, or takes `slot` again after it was removed. */
  add(id: UuidWords, slot = this.#next): number {
    this.#next = Math.max(this.#next, slot + 1)
    const number = Math.floor(slot / chunkSize)
    let chunk = this.#getChunk(slot)
    if (chunk === undefined) {
      chunk = {
        ids: new Int32Array(4 * chunkSize),
        places: new Uint32Array(chunkSize),
        used: 0,
      }
      this.#chunks.set(number, chunk)
      this.#lastNumber = -1
    }
    const at = slot % chunkSize
    for (let word = 0; word < 4; word += 1) chunk.ids[4 * at + word] = id[word] as number
    chunk.places[at] = objectPlace
    chunk.used += 1
    this.#size += 1
    return slot
  }

  remove(slot: number): void {
    const chunk = this.#getChunk(slot)
    if (chunk === undefined || chunk.places[slot % chunkSize] === freeSlot) return
    chunk.places[slot % chunkSize] = freeSlot
    chunk.used -= 1
    this.#size -= 1
    const isFull = Math.floor(this.#next / chunkSize) > Math.floor(slot / chunkSize)
    if (chunk.used > 0 || !isFull) return
    this.#chunks.delete(Math.floor(slot / chunkSize))
    this.#lastNumber = -1
  }

  getPlace(slot: number): number {
    return this.#getChunk(slot)?.places[slot % chunkSize] ?? freeSlot
  }

  setPlace(slot: number, place: number): void {
    const chunk = this.#getChunk(slot)
    if (chunk !== undefined) chunk.places[slot % chunkSize] = place
  }

  hasId(slot: number, id: UuidWords): boolean {
    const ids = this.#getChunk(slot)?.ids
    const at = 4 * (slot % chunkSize)
    return (
      ids !== undefined &&
      ids[at + 3] === id[3] &&
      ids[at + 2] === id[2] &&
      ids[at + 1] === id[1] &&
      ids[at] === id[0]
    )
  }

  readId(slot: number, id: UuidWords): void {
    const ids = this.#getChunk(slot)?.ids
    const at = 4 * (slot % chunkSize)
    for (let word = 0; word < 4; word += 1) id[word] = ids?.[at + word] ?? 0
  }

  /** The message table's used slots in order; messages may be removed and added meanwhile. */
  *[Symbol.iterator](): Generator<number, undefined> {
    const numbers = [...this.#chunks.keys()].sort((a, b) => a - b)
    for (const number of numbers) {
      for (let at = 0; at < chunkSize; at += 1) {
        const slot = number * chunkSize + at
        if (this.getPlace(slot) !== freeSlot) yield slot
      }
    }
  }

  #getChunk(slot: number): Chunk | undefined {
    const number = Math.floor(slot / chunkSize)
    if (number !== this.#lastNumber) {
      this.#lastChunk = this.#chunks.get(number)
      this.#lastNumber = number
    }
    return this.#lastChunk
  }
}
