/** The failures of one key. */
export interface FailureCount {
  readonly failures: number
  /** When the last one was, in milliseconds. */
  readonly last: number
}

/** Counts failures by key, for a while and for a bounded number of keys. */
export class FailureCounter {
  readonly #memory: number
  readonly #most: number
  /** In the order of the last failures. */
  readonly #entries = new Map<string, FailureCount>()

  /**
   * @param memory milliseconds after which a key without a failure is forgotten
   * @param most keys that are kept; the one that failed longest ago goes first
   */
  constructor(memory: number, most: number) {
    this.#memory = memory
    this.#most = most
  }

  /** Keys that are kept. */
  get size(): number {
    return this.#entries.size
  }

  /** The failures of a key; undefined when there are none. */
  get(key: string, now: number): FailureCount | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (now - entry.last >= this.#memory) {
      this.#entries.delete(key)
      return undefined
    }
    // A clock that was set back must not make a pause longer than it is.
    if (now >= entry.last) return entry
    const moved = { ...entry, last: now }
    this.#entries.set(key, moved)
    return moved
  }

  /** Counts a failure. */
  add(key: string, now: number): void {
    const failures = (this.get(key, now)?.failures ?? 0) + 1
    this.#entries.delete(key)
    this.#entries.set(key, { failures, last: now })
    const oldest = this.#entries.keys().next()
    if (this.#entries.size > this.#most && oldest.done !== true) this.#entries.delete(oldest.value)
  }

  /** Forgets a key. */
  clear(key: string): void {
    this.#entries.delete(key)
  }
}
