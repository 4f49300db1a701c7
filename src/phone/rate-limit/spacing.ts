import type { PartsRate } from './parts-rate.js'

/** Parts of a text, when their sending started, and the random factor of their spacing. */
export interface StartedParts {
  readonly at: number
  readonly parts: number
  /** 0.5 to 1.5. */
  readonly jitter: number
}

/**
 * Spaces parts evenly over the period of a limit. After a pause a tenth of the limit, at least one
 * and at most ten parts, may be sent at once (generic cell rate algorithm, ITU-T I.371).
 */
export class Spacing {
  readonly #space: number
  readonly #burst: number
  #due = Number.NEGATIVE_INFINITY

  constructor({ parts, period }: PartsRate) {
    this.#space = period / parts
    this.#burst = Math.min(Math.max(Math.floor(parts / 10), 1), 10)
  }

  /** Records parts that were sent. */
  add(parts: StartedParts): void {
    this.#due = this.#getDueAfter(this.#due, parts)
  }

  /** When the next text may start; Infinity while others use the whole burst. */
  getNextTime(now: number, started: readonly StartedParts[], waiting: number): number {
    const spare = this.#burst - 1 - waiting
    if (spare < 0) return Number.POSITIVE_INFINITY
    const due = started.reduce((at, each) => this.#getDueAfter(at, each), this.#due)
    return Math.max(due - spare * this.#space, now)
  }

  #getDueAfter(due: number, { at, parts, jitter }: StartedParts): number {
    return Math.max(due, at) + parts * this.#space * jitter
  }
}
