/** Moments of one span, by their second. */
interface Span {
  size: number
  readonly bySecond: Map<number, number>
}

/** Seconds of a span, between four and five hours: years of moments are in few thousand of them. */
const spanLength = 16_384

/** Counts moments, and how many of them have come: to the second, and without looking at each. */
export class DueCounter {
  readonly #spans = new Map<number, Span>()
  #size = 0

  /** Number of moments. */
  get size(): number {
    return this.#size
  }

  /** Adds a moment, in milliseconds since the epoch. */
  add(at: number): void {
    this.#count(toSecond(at), 1)
  }

  /** Takes away a moment that was added. */
  remove(at: number): void {
    this.#count(toSecond(at), -1)
  }

  /** How many moments lie in the second of `now`, or before it. */
  countDue(now: number): number {
    const second = toSecond(now)
    const last = toSpan(second)
    let come = 0
    for (const [at, { size }] of this.#spans) if (at < last) come += size
    for (const [at, count] of this.#spans.get(last)?.bySecond ?? []) if (at <= second) come += count
    return come
  }

  #count(second: number, change: number): void {
    const at = toSpan(second)
    const span = this.#spans.get(at) ?? { size: 0, bySecond: new Map<number, number>() }
    if (span.size === 0) this.#spans.set(at, span)
    const count = (span.bySecond.get(second) ?? 0) + change
    if (count === 0) span.bySecond.delete(second)
    else span.bySecond.set(second, count)
    span.size += change
    if (span.size === 0) this.#spans.delete(at)
    this.#size += change
  }
}

function toSecond(at: number): number {
  return Math.floor(at / 1000)
}

function toSpan(second: number): number {
  return Math.floor(second / spanLength)
}
