/** Counts moments, and how many of them have come: to the second, and without looking at each. */
export class MomentCounter {
  readonly #bySecond = new Map<number, number>()
  #size = 0
  /** Moments up to this second are in {@link #come}. */
  #horizon = Number.NEGATIVE_INFINITY
  #come = 0

  /** Number of moments. */
  get size(): number {
    return this.#size
  }

  /** Adds a moment, in milliseconds since the epoch. */
  add(at: number): void {
    this.#count(secondOf(at), 1)
  }

  /** Takes away a moment that was added. */
  remove(at: number): void {
    this.#count(secondOf(at), -1)
  }

  /** How many moments lie in the second of `now`, or before it. It takes as long as seconds went by since it was asked. */
  come(now: number): number {
    const second = secondOf(now)
    const passed = second - this.#horizon
    if (passed >= 0 && passed <= this.#bySecond.size) {
      for (let at = this.#horizon + 1; at <= second; at += 1) {
        this.#come += this.#bySecond.get(at) ?? 0
      }
    } else this.#come = this.#sumTo(second)
    this.#horizon = second
    return this.#come
  }

  #count(second: number, change: number): void {
    const count = (this.#bySecond.get(second) ?? 0) + change
    if (count === 0) this.#bySecond.delete(second)
    else this.#bySecond.set(second, count)
    this.#size += change
    if (second <= this.#horizon) this.#come += change
  }

  #sumTo(second: number): number {
    let sum = 0
    for (const [at, count] of this.#bySecond) if (at <= second) sum += count
    return sum
  }
}

function secondOf(at: number): number {
  return Math.floor(at / 1000)
}
