import { limits } from '../../domain/limits.js'
import type { Clock } from '../../util/async/clock.js'

/** With a rate, a request has the rows of this many milliseconds. */
const rateInterval = 100

/** Limits the rows that all bulk workers send. Unused time does not allow a burst later. */
export class RequestRate {
  readonly #rate: number | undefined
  readonly #clock: Clock
  #next = Number.NEGATIVE_INFINITY

  /** @param rate rows a second; undefined for no limit */
  constructor(rate: number | undefined, clock: Clock) {
    this.#rate = rate
    this.#clock = clock
  }

  /** Rows that one request can have. */
  get rowsPerRequest(): number {
    if (this.#rate === undefined) return limits.messageBatch
    return Math.min(
      limits.messageBatch,
      Math.max(1, Math.floor((this.#rate * rateInterval) / 1000)),
    )
  }

  /** Waits until so many rows may be sent. */
  async waitForTurn(rows: number, signal: AbortSignal): Promise<void> {
    if (this.#rate === undefined) return
    const now = this.#clock.monotonic()
    const turn = Math.max(now, this.#next)
    this.#next = turn + (1000 * rows) / this.#rate
    if (turn > now) await this.#clock.sleep(turn - now, signal)
  }
}
