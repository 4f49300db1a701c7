import type { Clock } from '../../../util/async/clock.js'
import type { Metrics } from '../../../util/collections/metrics.js'
import {
  FailureCounter,
  getThrottleDelay,
  type ThrottleDelay,
  tooManyAttemptsError,
} from '../accounts/failure-counter.js'

export interface SecretUrlThrottleSettings {
  /** For an address that used wrong secret URLs. */
  readonly address: ThrottleDelay
  /** Milliseconds without a wrong secret URL after which an address is forgotten. */
  readonly memory: number
  /**
   * Addresses that the throttle remembers; the one with the oldest last failure is dropped first.
   */
  readonly maxRemembered: number
  /** Wrong secret URLs in a minute that the throttle accepts from all addresses. */
  readonly perMinute: number
}

const defaultSettings: SecretUrlThrottleSettings = {
  address: { free: 10, first: 1000, max: 15 * 60_000 },
  memory: 60 * 60_000,
  maxRemembered: 10_000,
  perMinute: 1000,
}

const minute = 60_000

/**
 * Limits wrong secret URLs, of each client address and of all. Right ones are never refused: the
 * look-up comes first, and costs one hash. A wrong one also counts while its address must wait.
 */
export class SecretUrlThrottle {
  readonly #clock: Pick<Clock, 'now'>
  readonly #metrics: Pick<Metrics, 'increment'>
  readonly #settings: SecretUrlThrottleSettings
  readonly #addresses: FailureCounter
  #minute = { start: Number.NEGATIVE_INFINITY, failures: 0 }

  constructor(
    clock: Pick<Clock, 'now'>,
    metrics: Pick<Metrics, 'increment'>,
    settings: Partial<SecretUrlThrottleSettings> = {},
  ) {
    this.#clock = clock
    this.#metrics = metrics
    this.#settings = { ...defaultSettings, ...settings }
    this.#addresses = new FailureCounter(this.#settings.memory, this.#settings.maxRemembered)
  }

  /** The throttle's number of remembered addresses, for tests of its bound. */
  get size(): number {
    return this.#addresses.size
  }

  /**
   * Resolves to what `find` finds; undefined is a wrong secret URL. Throws `too_many_requests` for
   * a wrong one beyond the limits.
   */
  async lookUp<T>(address: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = await find()
    if (found !== undefined) return found
    this.#metrics.increment('auth_failures_total{kind="secret_url"}')
    const now = this.#clock.now()
    const wait = Math.max(this.#countFor(address, now), this.#countForAll(now))
    if (wait > 0) throw tooManyAttemptsError('wrong secret URLs', wait)
    return undefined
  }

  /**
   * Counts a wrong secret URL in the throttle; returns the milliseconds that the address must wait,
   * 0 if it came in time.
   */
  #countFor(address: string, now: number): number {
    const delay = this.#settings.address
    const before = this.#addresses.get(address, now)
    this.#addresses.add(address, now)
    const isEarly = now < before.last + getThrottleDelay(before.failures, delay)
    return isEarly ? getThrottleDelay(before.failures + 1, delay) : 0
  }

  #countForAll(now: number): number {
    const { start } = this.#minute
    if (now < start || now >= start + minute) this.#minute = { start: now, failures: 0 }
    this.#minute.failures += 1
    return this.#minute.failures > this.#settings.perMinute ? this.#minute.start + minute - now : 0
  }
}
