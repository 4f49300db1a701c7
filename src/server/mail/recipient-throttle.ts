import {
  addFailure,
  type FailureCount,
  getCurrentFailures,
  getThrottleWait,
} from '../../domain/account/failure-count.js'
import { tooManyAttemptsError } from '../services/accounts/too-many-attempts.js'
import type { ServiceContext } from '../services/service-context.js'

const hour = 60 * 60_000

/**
 * Limits the unknown recipients of mail from each client address, on all nodes together: an
 * attacker guesses another mailbox each time.
 */
export class RecipientThrottle {
  readonly #context: Pick<ServiceContext, 'store' | 'clock' | 'metrics'>
  readonly #free: number

  /** @param free unknown recipients from an address that the throttle accepts without a delay */
  constructor(context: Pick<ServiceContext, 'store' | 'clock' | 'metrics'>, free: number) {
    this.#context = context
    this.#free = free
  }

  /** Counts an unknown recipient. Throws `too_many_requests`, without counting, if it is early. */
  async count(address: string): Promise<void> {
    const { store, clock, metrics } = this.#context
    const now = clock.now()
    const delay = { free: this.#free, first: 1000, max: 15 * 60_000 }
    const getWait = (failures: FailureCount): number => getThrottleWait(failures, delay, now)
    const { before } = await store.limits.change('mail recipient', address, now + hour, state => {
      const failures = getCurrentFailures(state, now, hour)
      return getWait(failures) > 0 ? failures : addFailure(failures, now)
    })
    const wait = getWait(getCurrentFailures(before, now, hour))
    if (wait > 0) throw tooManyAttemptsError('unknown recipients', wait)
    metrics.increment('auth_failures_total{kind="mailbox"}')
  }
}
