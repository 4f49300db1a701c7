import type { PartsRate } from './parts-rate.js'

/** Parts that were sent, and when: milliseconds of whatever clock. */
export interface SentParts {
  readonly at: number
  readonly parts: number
}

/** Holds one limit: what was sent in its last period. */
export class SlidingWindow {
  readonly #rate: PartsRate
  readonly #slot: number
  #sent: SentParts[] = []

  /** @param slot milliseconds within which parts count as sent together, with the last of them */
  constructor(rate: PartsRate, slot = rate.period / 1000) {
    this.#rate = rate
    this.#slot = slot
  }

  /** What was sent in the last period, oldest first. */
  getSent(now: number): readonly SentParts[] {
    const first = this.#sent.findIndex(each => each.at > now - this.#rate.period)
    this.#sent = first === -1 ? [] : this.#sent.slice(first)
    return this.#sent
  }

  /** Notes parts that were sent; those of one slot count from the last of them on. */
  add({ at, parts }: SentParts): void {
    const slot = (time: number) => Math.floor(time / this.#slot)
    const last = this.#sent.at(-1)
    const same = last !== undefined && slot(last.at) === slot(at)
    if (same) this.#sent[this.#sent.length - 1] = { at, parts: last.parts + parts }
    else this.#sent.push({ at, parts })
  }

  /**
   * When there is room for one part beside those that are on their way; Infinity when that depends on them alone. A
   * text that took more room than there was is paid back by those that follow.
   */
  getNextTime(now: number, onTheirWay: number): number {
    const sent = this.getSent(now)
    let excess = onTheirWay + 1 - this.#rate.parts
    for (const { parts } of sent) excess += parts
    if (excess <= 0) return now
    for (const { at, parts } of sent) {
      excess -= parts
      if (excess <= 0) return at + this.#rate.period
    }
    return Number.POSITIVE_INFINITY
  }
}
