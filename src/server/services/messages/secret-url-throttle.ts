import {
  addFailure,
  getCurrentFailures,
  getThrottleDelay,
  getThrottleWait,
  type ThrottleDelay,
} from '../../../domain/account/failure-count.js'
import { tooManyAttemptsError } from '../accounts/too-many-attempts.js'
import type { ServiceContext } from '../service-context.js'

export interface SecretUrlThrottleSettings {
  readonly address: ThrottleDelay
  /** Milliseconds without a wrong secret URL after which an address is forgotten. */
  readonly memory: number
  /** Wrong secret URLs in a minute that the throttle accepts from all addresses. */
  readonly perMinute: number
}

const defaultSettings: SecretUrlThrottleSettings = {
  address: { free: 10, first: 1000, max: 15 * 60_000 },
  memory: 60 * 60_000,
  perMinute: 1000,
}

const minute = 60_000

/**
 * Limits wrong secret URLs, of each client address and of all, on all nodes together. Right ones
 * are never refused: the look-up comes first, and costs one hash. A wrong one also counts while its
 * address must wait.
 */
export class SecretUrlThrottle {
  readonly #context: Pick<ServiceContext, 'store' | 'clock' | 'metrics'>
  readonly #settings: SecretUrlThrottleSettings

  constructor(
    context: Pick<ServiceContext, 'store' | 'clock' | 'metrics'>,
    settings: Partial<SecretUrlThrottleSettings> = {},
  ) {
    this.#context = context
    this.#settings = { ...defaultSettings, ...settings }
  }

  /**
   * Resolves to what `find` finds; undefined is a wrong secret URL. Throws `too_many_requests` for
   * a wrong one beyond the limits.
   */
  async lookUp<T>(address: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = await find()
    if (found !== undefined) return found
    this.#context.metrics.increment('auth_failures_total{kind="secret_url"}')
    const now = this.#context.clock.now()
    const waits = await Promise.all([this.#countFor(address, now), this.#countForAll(now)])
    const wait = Math.max(...waits)
    if (wait > 0) throw tooManyAttemptsError('wrong secret URLs', wait)
    return undefined
  }

  /**
   * Counts a wrong secret URL in the throttle; resolves to the milliseconds that the address must
   * wait, 0 if it came in time.
   */
  async #countFor(address: string, now: number): Promise<number> {
    const { address: delay, memory } = this.#settings
    const { limits } = this.#context.store
    const { before } = await limits.change('secret URL address', address, now + memory, state =>
      addFailure(getCurrentFailures(state, now, memory), now),
    )
    const failures = getCurrentFailures(before, now, memory)
    const isEarly = getThrottleWait(failures, delay, now) > 0
    return isEarly ? getThrottleDelay(failures.failures + 1, delay) : 0
  }

  async #countForAll(now: number): Promise<number> {
    const { limits } = this.#context.store
    const { after } = await limits.change('secret URL minute', '', now + minute, state => {
      // The clocks of two nodes may differ.
      const isCurrent = state !== undefined && Math.abs(now - state.start) < minute
      return isCurrent
        ? { start: state.start, failures: state.failures + 1 }
        : { start: now, failures: 1 }
    })
    const { start = now, failures = 0 } = after ?? {}
    return failures > this.#settings.perMinute ? start + minute - now : 0
  }
}
