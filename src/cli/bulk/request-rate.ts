import type { Clock } from '../../util/async/clock.js'

/**
 * Limits the requests of all workers of the bulk command together. Unused time does not allow a
 * burst later.
 */
export class RequestRate {
  readonly #rate: number | undefined
  readonly #clock: Clock
  #next = Number.NEGATIVE_INFINITY

  /** @param rate requests a second of the bulk command; undefined for no limit */
  constructor(rate: number | undefined, clock: Clock) {
    this.#rate = rate
    this.#clock = clock
  }

  async waitForTurn(signal: AbortSignal): Promise<void> {
    if (this.#rate === undefined) return
    const now = this.#clock.monotonic()
    const turn = Math.max(now, this.#next)
    this.#next = turn + 1000 / this.#rate
    if (turn > now) await this.#clock.sleep(turn - now, signal)
  }
}
