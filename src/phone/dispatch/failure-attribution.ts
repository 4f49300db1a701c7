import { limits } from '../../domain/limits.js'
import type { Pause } from '../../util/async/clock.js'
import type { AttemptOutcome } from '../driver-port/attempt-outcome.js'
import type { Driver } from '../driver-port/driver.js'
import type { DriverStatus } from './driver-status.js'

/** What {@link Blame} works with. */
export interface FailureAttributionOptions {
  readonly driver: Driver
  readonly driverStatus: DriverStatus
  readonly pause: Pause
}

/**
 * What trouble with a message means: telephony's, so the message is kept; the message's own, because telephony works;
 * or not known, and the next message will tell.
 */
export type FailureCause = 'telephony' | 'message' | 'unclear'

const maxTries = 5
const healthTimeout = 20_000

/** Decides whether trouble again and again is telephony's or that of the one message in hand. */
export class FailureAttribution {
  readonly #options: FailureAttributionOptions
  #id: string | undefined
  #tries = 0
  #worksBefore = 0

  constructor(options: FailureAttributionOptions) {
    this.#options = options
  }

  /** Notes trouble with a message; from the fifth in a row on it may be the message's own. Never rejects. */
  async attribute(id: string): Promise<FailureCause> {
    const { driver, driverStatus } = this.#options
    if (id !== this.#id) {
      this.#id = id
      this.#tries = 0
      this.#worksBefore = driverStatus.successCount
    }
    this.#tries += 1
    if (this.#tries < maxTries) return 'telephony'
    const verdict = driver.health === undefined ? this.#compare() : await this.#ask()
    if (verdict !== 'telephony') this.#id = undefined
    return verdict
  }

  /** Without a driver that knows, other messages tell; one is let go so that there is another. */
  #compare(): FailureCause {
    const { driverStatus } = this.#options
    if (driverStatus.successCount > this.#worksBefore) return 'message'
    return driverStatus.startProbe() ? 'unclear' : 'telephony'
  }

  async #ask(): Promise<FailureCause> {
    const { driver, pause } = this.#options
    const done = new AbortController()
    const late = pause(healthTimeout, done.signal)
    try {
      const health = await Promise.race([driver.health?.(), late])
      return health?.ok === true ? 'message' : 'telephony'
    } catch {
      return 'telephony'
    } finally {
      done.abort()
    }
  }
}

/** What is reported of a message that had nothing but trouble. */
export function attemptsExhausted(error: string): AttemptOutcome {
  const text = `Not sent in ${maxTries} tries: ${error}`
  return { result: 'failed', error: [...text].slice(0, limits.errorMessage).join('') }
}
