/**
 * A map that forgets what was not used for longest, roughly: values go from a young generation to an old one
 * when they are used, and the old one is dropped each time the young one has become as heavy as `limit`.
 */
export class LruMap<K, V> {
  readonly #limit: number
  readonly #weigh: (value: V) => number
  #young = new Map<K, V>()
  #old = new Map<K, V>()
  #weight = 0

  /** @param limit the most that one of the two generations weighs, but for its last value */
  constructor(limit: number, weigh: (value: V) => number) {
    this.#limit = limit
    this.#weigh = weigh
  }

  /** The value of a key, where it is still there. */
  get(key: K): V | undefined {
    const found = this.#young.get(key)
    if (found !== undefined) return found
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  /** Remembers a value. */
  set(key: K, value: V): void {
    if (this.#weight >= this.#limit) {
      this.#old = this.#young
      this.#young = new Map()
      this.#weight = 0
    }
    this.#weight += this.#weigh(value)
    this.#young.set(key, value)
  }
}
