import { isRelayError } from '../../../errors.js'
import type { Clock } from '../../../util/async/clock.js'
import { LruMap } from '../../../util/collections/lru-map.js'
import type { Metrics } from '../../../util/collections/metrics.js'
import { hashText } from '../../../util/crypto/secrets.js'
import {
  type FailureCount,
  FailureCounter,
  getThrottleDelay,
  type ThrottleDelay,
  tooManyAttemptsError,
} from './failure-counter.js'

export interface ThrottleSettings {
  /** For sign-in attempts to an account from an address. */
  readonly pair: ThrottleDelay
  /** For sign-in attempts from an address, except to accounts that signed in from there before. */
  readonly address: ThrottleDelay
  /** For sign-in attempts to an account from all addresses that failed with it. */
  readonly name: ThrottleDelay
  /** Milliseconds without a failed sign-in after which the throttle forgets earlier ones. */
  readonly memory: number
  /** Pairs, addresses and names that the throttle remembers, of each so many. */
  readonly maxRemembered: number
  /** Concurrent sign-in attempts with keys, for an address and for a pair without failures. */
  readonly keysAtOnce: number
  /** Concurrent sign-in attempts with passwords, which are expensive to check, in the same way. */
  readonly passwordsAtOnce: number
}

export const defaultThrottleSettings: ThrottleSettings = {
  pair: { free: 10, first: 1000, max: 15 * 60_000 },
  address: { free: 100, first: 1000, max: 60_000 },
  name: { free: 10, first: 1000, max: 60_000 },
  memory: 60 * 60_000,
  maxRemembered: 10_000,
  keysAtOnce: 64,
  passwordsAtOnce: 4,
}

export interface SignInAttempt {
  readonly address: string
  /** The secret key or the e-mail address of the sign-in attempt. */
  readonly name: string
  readonly kind: 'key' | 'password' | 'mailbox'
}

interface AttemptKeys {
  readonly address: string
  readonly name: string
  readonly pair: string
  /** Whether the pair signed in before: then the limits of the address do not apply. */
  readonly isKnown: boolean
}

/**
 * Throttles attempts to guess credentials. Failures count for the pair of client address and name,
 * so they delay nobody else behind the address, and an attacker elsewhere cannot lock the owner
 * out. Two further counts slow down an attacker who changes one of the two: failures at a name from
 * anywhere delay the pairs that failed with it, by at most `name.max`; failures from an address
 * delay all its pairs that never succeeded. A success does not reset the counts of its address and
 * pair: otherwise the sign-ins of an owner would give new attempts to an attacker behind the same
 * address.
 */
export class SignInThrottle {
  readonly #clock: Pick<Clock, 'now'>
  readonly #metrics: Pick<Metrics, 'increment'>
  readonly #settings: ThrottleSettings
  readonly #pairs: FailureCounter
  readonly #addresses: FailureCounter
  readonly #names: FailureCounter
  /** Pairs of address and name that signed in before. */
  readonly #known: LruMap<string, true>
  readonly #inProgress = new Map<string, number>()

  constructor(
    clock: Pick<Clock, 'now'>,
    metrics: Pick<Metrics, 'increment'>,
    settings: Partial<ThrottleSettings> = {},
  ) {
    this.#clock = clock
    this.#metrics = metrics
    this.#settings = { ...defaultThrottleSettings, ...settings }
    const { memory, maxRemembered } = this.#settings
    this.#pairs = new FailureCounter(memory, maxRemembered)
    this.#addresses = new FailureCounter(memory, maxRemembered)
    this.#names = new FailureCounter(memory, maxRemembered)
    this.#known = new LruMap(maxRemembered, () => 1)
  }

  /**
   * The throttle's number of remembered failures and attempts in progress, for tests of its bounds.
   */
  get size(): number {
    return this.#pairs.size + this.#addresses.size + this.#names.size + this.#inProgress.size
  }

  /**
   * Runs `work`, which throws `invalid_client` for wrong credentials. Throws what it throws, or
   * `too_many_requests` without running it.
   */
  async attempt<T>(attempt: SignInAttempt, work: () => Promise<T>): Promise<T> {
    const { address, kind } = attempt
    const name = toNameKey(attempt.name)
    const pair = `${address} ${name}`
    const keys = { address, name, pair, isKnown: this.#known.get(pair) !== undefined }
    const wait = this.#getWait(keys, kind === 'password')
    if (wait > 0) throw tooManyAttemptsError('wrong credentials', wait)
    this.#countInProgress(keys, 1)
    try {
      const result = await work()
      this.#names.clear(name)
      this.#known.set(keys.pair, true)
      return result
    } catch (error) {
      if (isRelayError(error, 'invalid_client')) this.#recordFailure(keys, kind)
      throw error
    } finally {
      this.#countInProgress(keys, -1)
    }
  }

  #getWait(keys: AttemptKeys, isPassword: boolean): number {
    const { pair: byPair, address: byAddress, name: byName } = this.#settings
    const now = this.#clock.now()
    const atOnce = isPassword ? this.#settings.passwordsAtOnce : this.#settings.keysAtOnce
    const ofPair = this.#pairs.get(keys.pair, now)
    const { failures } = this.#names.get(keys.name, now)
    const nameDelay = ofPair.failures === 0 ? 0 : getThrottleDelay(failures, byName)
    const pairDelay = Math.max(getThrottleDelay(ofPair.failures, byPair), nameDelay)
    const waits = [
      ofPair.last + pairDelay - now,
      this.#getSlotWait(keys.pair, ofPair, byPair, atOnce),
    ]
    if (!keys.isKnown) {
      const ofAddress = this.#addresses.get(keys.address, now)
      waits.push(
        ofAddress.last + getThrottleDelay(ofAddress.failures, byAddress) - now,
        this.#getSlotWait(keys.address, ofAddress, byAddress, atOnce),
      )
    }
    return Math.max(...waits)
  }

  /** Concurrent sign-in attempts must not exceed the attempts that are left without a delay. */
  #getSlotWait(
    key: string,
    { failures }: FailureCount,
    { free, first }: ThrottleDelay,
    atOnce: number,
  ): number {
    const allowed = failures === 0 ? atOnce : Math.min(atOnce, Math.max(1, free - failures))
    return (this.#inProgress.get(key) ?? 0) < allowed ? 0 : first
  }

  #recordFailure({ address, name, pair }: AttemptKeys, kind: SignInAttempt['kind']): void {
    const now = this.#clock.now()
    this.#addresses.add(address, now)
    this.#names.add(name, now)
    this.#pairs.add(pair, now)
    this.#metrics.increment(`auth_failures_total{kind="${kind}"}`)
  }

  #countInProgress({ address, pair, isKnown }: AttemptKeys, change: 1 | -1): void {
    for (const key of isKnown ? [pair] : [pair, address]) {
      const count = (this.#inProgress.get(key) ?? 0) + change
      if (count === 0) this.#inProgress.delete(key)
      else this.#inProgress.set(key, count)
    }
  }
}

/** The throttle's key of a name has a fixed length, however long the name is. */
function toNameKey(name: string): string {
  return hashText(name.includes('@') ? name.toLowerCase() : name)
}
