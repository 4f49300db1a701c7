import { getBackoff } from './backoff.js'
import type { Clock } from './clock.js'

const delays = { first: 1000, max: 30_000 }

interface FailureBackoffOptions {
  readonly clock: Clock
  readonly random: () => number
}

/** Backoff: counts failures in a row and waits longer after each. */
export class FailureBackoff {
  readonly #options: FailureBackoffOptions
  #failures = 0

  constructor(options: FailureBackoffOptions) {
    this.#options = options
  }

  /** Counts a failure of the backoff; true for the first of an outage. */
  recordFailure(): boolean {
    this.#failures += 1
    return this.#failures === 1
  }

  async wait(signal: AbortSignal, min = 0): Promise<void> {
    const { clock, random } = this.#options
    await clock.sleep(Math.max(getBackoff(this.#failures, random(), delays), min), signal)
  }

  /** Resets the backoff after an outage; false if there was none. */
  recordSuccess(): boolean {
    const ended = this.#failures > 0
    this.#failures = 0
    return ended
  }
}
