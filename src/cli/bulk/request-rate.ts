import type { Pause } from '../../util/async/clock.js'

/** What a {@link Pacer} needs. */
export interface RequestRateOptions {
  /** Turns a second; undefined: no limit. */
  readonly rate: number | undefined
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number
  readonly pause: Pause
}

/** Gives out turns at a steady rate, however many ask; time in which nobody asked is not made up for. */
export class RequestRate {
  readonly #options: RequestRateOptions
  #next = Number.NEGATIVE_INFINITY

  constructor(options: RequestRateOptions) {
    this.#options = options
  }

  /** Resolves when it is one's turn, or when the signal is aborted. */
  async waitForTurn(signal: AbortSignal): Promise<void> {
    const { rate, now, pause } = this.#options
    if (rate === undefined) return
    const at = Math.max(now(), this.#next)
    this.#next = at + 1000 / rate
    const wait = at - now()
    if (wait > 0) await pause(wait, signal)
  }
}
