/**
 * Milliseconds after which a hint with a lower number can no longer appear: numbers are given
 * before the commit, so hints become visible in another order.
 */
const commitTime = 2000

export class SeenHints {
  #ids = new Set<number>()
  #floor: number
  #max: number
  /** The highest hint seen at earlier times, oldest first. */
  #history: { readonly at: number; readonly max: number }[] = []

  constructor(last: number) {
    this.#floor = last
    this.#max = last
  }

  get floor(): number {
    return this.#floor
  }

  add(id: number): boolean {
    if (id <= this.#floor || this.#ids.has(id)) return false
    this.#ids.add(id)
    this.#max = Math.max(this.#max, id)
    return true
  }

  /** Forgets the hints that were seen long before `now`, in milliseconds of a monotonic clock. */
  prune(now: number): void {
    this.#history.push({ at: now, max: this.#max })
    while ((this.#history[0]?.at ?? now) <= now - commitTime) {
      this.#floor = this.#history.shift()?.max ?? this.#floor
    }
    this.#ids = new Set([...this.#ids].filter(id => id > this.#floor))
  }
}
