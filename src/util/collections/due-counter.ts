interface Span {
  size: number
  readonly bySecond: Map<number, number>
}

/** Seconds of a due counter's span: 4.5 hours, so that a year has only 2,000 spans. */
const spanLength = 16_384

/** Counts times and how many of them have passed, to the second, without visiting each one. */
export class DueCounter {
  readonly #spans = new Map<number, Span>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(at: number): void {
    this.#count(toSecond(at), 1)
  }

  remove(at: number): void {
    this.#count(toSecond(at), -1)
  }

  /** The number of times in the counter that are in the second of `now` or before. */
  countDue(now: number): number {
    const second = toSecond(now)
    const last = toSpan(second)
    let due = 0
    for (const [at, { size }] of this.#spans) if (at < last) due += size
    for (const [at, count] of this.#spans.get(last)?.bySecond ?? []) if (at <= second) due += count
    return due
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
