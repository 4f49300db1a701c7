import {
  addFailure,
  getCurrentFailures,
  getThrottleWait,
} from '../../../domain/account/failure-count.js'
import type { ServiceContext } from '../service-context.js'
import { tooManyAttemptsError } from './too-many-attempts.js'

/** A hundred attempts a day: with three valid codes of a million, 0.03 % for a guess. */
const delay = { free: 5, first: 1000, max: 15 * 60_000 }

/** Milliseconds without a wrong code after which earlier ones are forgotten. */
const memory = 24 * 60 * 60_000

/**
 * Throttles the guessing of codes, on all nodes of the services. It counts for a person and not for
 * an address, as somebody who guesses codes already knows the password. Meanwhile recovery codes
 * and passkeys, which nobody can guess, still work.
 */
export class CodeThrottle {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>

  constructor(context: Pick<ServiceContext, 'store' | 'clock'>) {
    this.#context = context
  }

  /**
   * Runs a check of a code. It counts as a failure before it runs, so that checks at the same time
   * count as well; a right code takes that and all earlier failures back. Throws
   * `too_many_requests` without running it.
   */
  async attempt(person: string, check: () => Promise<boolean>): Promise<boolean> {
    const { store, clock } = this.#context
    const now = clock.now()
    await store.limits.change('code', person, now + memory, known => {
      const failures = getCurrentFailures(known, now, memory)
      const wait = getThrottleWait(failures, delay, now)
      if (wait > 0) throw tooManyAttemptsError('wrong codes', wait)
      return addFailure(failures, now)
    })
    const isRight = await check()
    if (isRight) await store.limits.change('code', person, 0, () => null)
    return isRight
  }
}
