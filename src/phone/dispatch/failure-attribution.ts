import { limits } from '../../domain/limits.js'
import type { AttemptOutcome } from '../driver-port/attempt-outcome.js'
import type { WorkerContext } from './worker-context.js'

/**
 * The cause of repeated trouble with a message: the driver, so that the worker holds the message;
 * the message, because the driver works; or unclear until another message is tried.
 */
type FailureCause = 'driver' | 'message' | 'unclear'

const maxTries = 5
/** Milliseconds. */
const healthTimeout = 20_000

export class FailureAttribution {
  readonly #context: Pick<WorkerContext, 'driver' | 'driverStatus' | 'clock'>
  #id: string | undefined
  #tries = 0
  #successesBefore = 0

  constructor(context: Pick<WorkerContext, 'driver' | 'driverStatus' | 'clock'>) {
    this.#context = context
  }

  /** Counts driver trouble with a message; from the fifth time in a row, looks for its cause. */
  async attribute(id: string): Promise<FailureCause> {
    const { driver, driverStatus } = this.#context
    if (id !== this.#id) {
      this.#id = id
      this.#tries = 0
      this.#successesBefore = driverStatus.successCount
    }
    this.#tries += 1
    if (this.#tries < maxTries) return 'driver'
    const cause = driver.health === undefined ? this.#compare() : await this.#askDriver()
    if (cause !== 'driver') this.#id = undefined
    return cause
  }

  /**
   * Without a driver's health check, the success of other messages decides; one fails to find out.
   */
  #compare(): FailureCause {
    const { driverStatus } = this.#context
    if (driverStatus.successCount > this.#successesBefore) return 'message'
    return driverStatus.startProbe() ? 'unclear' : 'driver'
  }

  async #askDriver(): Promise<FailureCause> {
    const { driver, clock } = this.#context
    const done = new AbortController()
    const timeout = clock.sleep(healthTimeout, done.signal)
    try {
      const health = await Promise.race([driver.health?.(), timeout])
      return health?.ok === true ? 'message' : 'driver'
    } catch {
      return 'driver'
    } finally {
      done.abort()
    }
  }
}

export function toExhaustedOutcome(error: string): AttemptOutcome {
  const text = `Not sent in ${maxTries} tries: ${error}`
  return { result: 'failed', error: [...text].slice(0, limits.errorMessage).join('') }
}
