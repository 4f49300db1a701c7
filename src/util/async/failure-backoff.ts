import { getBackoff } from './backoff.js'
import type { Pause } from './clock.js'

const limits = { first: 1000, max: 30_000 }

/** What an {@link Outage} needs. */
export interface FailureBackoffOptions {
  readonly pause: Pause
  readonly random: () => number
}

/** Counts the failures in a row of something that may be away for a while, and waits ever longer between them. */
export class FailureBackoff {
  readonly #options: FailureBackoffOptions
  #failures = 0

  constructor(options: FailureBackoffOptions) {
    this.#options = options
  }

  /** Notes a failure; true for the first of an outage. */
  recordFailure(): boolean {
    this.#failures += 1
    return this.#failures === 1
  }

  /** Waits before the next try, `least` milliseconds or more. */
  async wait(signal: AbortSignal, least = 0): Promise<void> {
    const { pause, random } = this.#options
    await pause(Math.max(getBackoff(this.#failures, random(), limits), least), signal)
  }

  /** Notes that it works; true when that ends an outage. */
  recordSuccess(): boolean {
    const ended = this.#failures > 0
    this.#failures = 0
    return ended
  }
}
