const empty = Buffer.alloc(0)

/** Bytes that arrived and were not read yet. A lone chunk is not copied. */
export class ByteQueue {
  #bytes: Buffer = empty
  #start = 0
  #end = 0
  /** Whether `#bytes` is ours, so that more can be written behind its end. */
  #isOwned = false

  get length(): number {
    return this.#end - this.#start
  }

  append(chunk: Buffer): void {
    if (this.#start === this.#end) {
      this.#bytes = chunk
      this.#start = 0
      this.#end = chunk.length
      this.#isOwned = false
      return
    }
    if (!this.#isOwned || this.#bytes.length - this.#end < chunk.length) this.#grow(chunk.length)
    chunk.copy(this.#bytes, this.#end)
    this.#end += chunk.length
  }

  /** All bytes, which stay in the queue. */
  peek(): Buffer {
    const isWhole = this.#start === 0 && this.#end === this.#bytes.length
    return isWhole ? this.#bytes : this.#bytes.subarray(this.#start, this.#end)
  }

  /** Removes and returns the first `count` bytes. */
  take(count: number): Buffer {
    const at = this.#start
    this.#start += count
    if (at === 0 && count === this.#bytes.length) return this.#bytes
    return this.#bytes.subarray(at, this.#start)
  }

  skip(count: number): void {
    this.#start += count
  }

  /** Bytes that were taken stay as they are: the old memory is not written to again. */
  #grow(by: number): void {
    const { length } = this
    const grown = Buffer.allocUnsafe(2 * (length + by))
    this.#bytes.copy(grown, 0, this.#start, this.#end)
    this.#bytes = grown
    this.#start = 0
    this.#end = length
    this.#isOwned = true
  }
}
