const chunkSize = 1024

/** The values of the message table's slots from a multiple of 1,024 on. */
interface Chunk<T> {
  readonly values: (T | undefined)[]
  used: number
}

/**
 * Values by slot. Most slots in use are close to each other, so an array of each 1,024 is faster
 * than a Map of slots; one without values is freed.
 */
export class SlotMap<T extends object> {
  readonly #chunks = new Map<number, Chunk<T>>()
  #lastNumber = -1
  #lastChunk: Chunk<T> | undefined
  /**
   * A chunk of slots without values, for the next ones: else each message of a few would allocate
   * one.
   */
  #spare: Chunk<T> | undefined

  get(slot: number): T | undefined {
    return this.#getChunk(slot)?.values[slot % chunkSize]
  }

  set(slot: number, value: T): void {
    const chunk = this.#getChunk(slot) ?? this.#addChunk(slot)
    const at = slot % chunkSize
    if (chunk.values[at] === undefined) chunk.used += 1
    chunk.values[at] = value
  }

  delete(slot: number): void {
    const chunk = this.#getChunk(slot)
    const at = slot % chunkSize
    if (chunk?.values[at] === undefined) return
    chunk.values[at] = undefined
    chunk.used -= 1
    if (chunk.used > 0) return
    this.#chunks.delete(Math.floor(slot / chunkSize))
    this.#lastChunk = undefined
    this.#spare = chunk
  }

  #getChunk(slot: number): Chunk<T> | undefined {
    const number = Math.floor(slot / chunkSize)
    if (number !== this.#lastNumber) {
      this.#lastChunk = this.#chunks.get(number)
      this.#lastNumber = number
    }
    return this.#lastChunk
  }

  #addChunk(slot: number): Chunk<T> {
    const chunk = this.#spare ?? {
      values: new Array<T | undefined>(chunkSize).fill(undefined),
      used: 0,
    }
    this.#spare = undefined
    this.#chunks.set(Math.floor(slot / chunkSize), chunk)
    this.#lastChunk = chunk
    return chunk
  }
}
