import type { Clock } from '../../../util/async/clock.js'

/**
 * Limits the submit_sm without a response, and those of a second. The limit is halved each time
 * that the SMSC throttles, and grows by one with each full window that it accepts.
 */
export class SendWindow {
  readonly #max: number
  readonly #interval: number
  readonly #clock: Clock
  readonly #waiting: (() => void)[] = []
  #limit: number
  #used = 0
  #next = 0
  #isProbing = false

  constructor(max: number, throughput: number, clock: Clock) {
    this.#max = max
    this.#limit = max
    this.#interval = 1000 / throughput
    this.#clock = clock
  }

  get limit(): number {
    return this.#isProbing ? 1 : Math.floor(this.#limit)
  }

  /** Waits for a place in the window and then for its turn; {@link release} gives it back. */
  async acquire(signal: AbortSignal): Promise<void> {
    if (this.tryAcquire()) return
    if (this.#used >= this.limit) {
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    } else this.#used += 1
    if (this.#interval === 0) return
    const now = this.#clock.monotonic()
    const wait = Math.max(0, this.#next - now)
    this.#next = now + wait + this.#interval
    if (wait > 0) await this.#clock.sleep(wait, signal)
  }

  /** Takes a place in the window if one is free and there is no throughput limit. */
  tryAcquire(): boolean {
    if (this.#interval > 0 || this.#used >= this.limit) return false
    this.#used += 1
    return true
  }

  release(): void {
    this.#used -= 1
    this.#admit()
  }

  /** Halves the window after ESME_RTHROTTLED. */
  narrow(): void {
    this.#limit = Math.max(1, this.#limit / 2)
  }

  widen(): void {
    this.#limit = Math.min(this.#max, this.#limit + 1 / this.#limit)
    this.#admit()
  }

  /** Lets one submit_sm through at a time, or as many as the limit again. */
  setProbing(isProbing: boolean): void {
    this.#isProbing = isProbing
    this.#admit()
  }

  #admit(): void {
    while (this.#used < this.limit) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#used += 1
      next()
    }
  }
}
