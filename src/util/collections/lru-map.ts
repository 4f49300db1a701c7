/**
 * A map that drops values that were not used for long, approximately: a value that is used moves to
 * the young generation; when that weighs `limit`, it becomes the old one, and the old one is
 * dropped.
 */
export class LruMap<K, V> {
  readonly #limit: number
  readonly #weigh: (value: V) => number
  #young = new Map<K, V>()
  #old = new Map<K, V>()
  #weight = 0

  /**
   * An LRU map in two generations.
   * @param limit the weight of one generation, without its last value
   */
  constructor(limit: number, weigh: (value: V) => number) {
    this.#limit = limit
    this.#weigh = weigh
  }

  get(key: K): V | undefined {
    const found = this.#young.get(key)
    if (found !== undefined) return found
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: K, value: V): void {
    if (this.#weight >= this.#limit) {
      this.#old = this.#young
      this.#young = new Map()
      this.#weight = 0
    }
    this.#weight += this.#weigh(value)
    this.#young.set(key, value)
  }

  /** The weight of a deleted value counts until its generation is dropped. */
  delete(key: K): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }
}
