import type { PartsRate } from './parts-rate.js'

/** Parts that began to be sent at a time, and the random share by which their space is longer or shorter. */
export interface StartedParts {
  readonly at: number
  readonly parts: number
  /** 0.5 to 1.5. */
  readonly jitter: number
}

/**
 * Spreads parts over the period of a limit. After a quiet time a tenth of the limit, at most ten parts and at least
 * one, may go at once (the generic cell rate algorithm, ITU-T I.371).
 */
export class Spacing {
  readonly #space: number
  readonly #burst: number
  #due = Number.NEGATIVE_INFINITY

  constructor({ parts, period }: PartsRate) {
    this.#space = period / parts
    this.#burst = Math.min(Math.max(Math.floor(parts / 10), 1), 10)
  }

  /** Notes parts that were sent. */
  add(begun: StartedParts): void {
    this.#due = this.#after(this.#due, begun)
  }

  /** When the next may begin beside these, and as many that may begin at any time; Infinity when those fill it. */
  getNextTime(now: number, begun: readonly StartedParts[], waiting: number): number {
    const spare = this.#burst - 1 - waiting
    if (spare < 0) return Number.POSITIVE_INFINITY
    const due = begun.reduce((at, each) => this.#after(at, each), this.#due)
    return Math.max(due - spare * this.#space, now)
  }

  #after(due: number, { at, parts, jitter }: StartedParts): number {
    return Math.max(due, at) + parts * this.#space * jitter
  }
}
