import type { PartsRate } from './parts-rate.js'

/** SMS parts that were sent together, and when, in milliseconds of any clock. */
export interface SentParts {
  readonly at: number
  readonly parts: number
}

export class SlidingWindow {
  readonly #rate: PartsRate
  readonly #slot: number
  #sent: SentParts[] = []

  constructor(rate: PartsRate, slot = rate.period / 1000) {
    this.#rate = rate
    this.#slot = slot
  }

  getSent(now: number): readonly SentParts[] {
    const first = this.#sent.findIndex(each => each.at > now - this.#rate.period)
    this.#sent = first === -1 ? [] : this.#sent.slice(first)
    return this.#sent
  }

  add({ at, parts }: SentParts): void {
    const slot = (time: number) => Math.floor(time / this.#slot)
    const last = this.#sent.at(-1)
    const isSameSlot = last !== undefined && slot(last.at) === slot(at)
    if (isSameSlot) this.#sent[this.#sent.length - 1] = { at, parts: last.parts + parts }
    else this.#sent.push({ at, parts })
  }

  /**
   * When the rate limit allows one more part while `pending` parts are being sent; Infinity if that
   * depends on those alone. A text may exceed the limit by its last parts; later texts wait for
   * that.
   */
  getNextTime(now: number, pending: number): number {
    const sent = this.getSent(now)
    let excess = pending + 1 - this.#rate.parts
    for (const { parts } of sent) excess += parts
    if (excess <= 0) return now
    for (const { at, parts } of sent) {
      excess -= parts
      if (excess <= 0) return at + this.#rate.period
    }
    return Number.POSITIVE_INFINITY
  }
}
