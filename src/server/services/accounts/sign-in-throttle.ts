import { isRelayError, RelayError } from '../../../errors.js'
import type { Clock } from '../../../util/async/clock.js'
import { hashText } from '../../../util/crypto/secrets.js'

/** How failed sign-ins delay the next attempt. Times in milliseconds. */
export interface ThrottleDelay {
  /** Failed sign-ins without a delay. */
  readonly free: number
  /** Delay after the first failed sign-in beyond `free`; each further failure doubles it. */
  readonly first: number
  readonly max: number
}

export interface ThrottleSettings {
  readonly address: ThrottleDelay
  readonly name: ThrottleDelay
  /** Milliseconds without a failed sign-in after which earlier failures are forgotten. */
  readonly memory: number
  /**
   * Client addresses, and names, to remember; the one with the oldest last failure is dropped
   * first.
   */
  readonly maxRemembered: number
  /** Concurrent sign-ins with keys from an address without failures. */
  readonly keysAtOnce: number
  /** Concurrent sign-ins with passwords, which are expensive to check. */
  readonly passwordsAtOnce: number
}

export const defaultThrottleSettings: ThrottleSettings = {
  address: { free: 10, first: 1000, max: 15 * 60_000 },
  name: { free: 10, first: 1000, max: 60_000 },
  memory: 60 * 60_000,
  maxRemembered: 10_000,
  keysAtOnce: 64,
  passwordsAtOnce: 4,
}

/**
 * Throttle settings for secret URLs. Nobody can guess one, so the delay only protects the relay's
 * resources; it is short because other people may share the address.
 */
export const secretUrlThrottleSettings: Partial<ThrottleSettings> = {
  address: { free: 10, first: 1000, max: 60_000 },
}

export interface SignInAttempt {
  readonly address: string
  /** Name of the sign-in: the secret key or the e-mail address. */
  readonly name: string
}

/**
 * Throttles attempts to guess credentials, by client address and by the name that is tried. A delay
 * counts from the address's own last failure, and an address without failures is never delayed. So
 * an attacker who guesses at a name cannot lock its owner out; if the owner then makes a mistake,
 * the delay is at most `name.max`. A success does not reset the count of the address: otherwise an
 * attacker could reset it by signing in to another account.
 */
export class SignInThrottle {
  readonly #clock: Pick<Clock, 'now'>
  readonly #settings: ThrottleSettings
  readonly #addresses: FailureCounter
  readonly #names: FailureCounter
  readonly #inProgress = new Map<string, number>()

  constructor(clock: Pick<Clock, 'now'>, settings: Partial<ThrottleSettings> = {}) {
    this.#clock = clock
    this.#settings = { ...defaultThrottleSettings, ...settings }
    const { memory, maxRemembered } = this.#settings
    this.#addresses = new FailureCounter(memory, maxRemembered)
    this.#names = new FailureCounter(memory, maxRemembered)
  }

  get size(): number {
    return this.#addresses.size + this.#names.size + this.#inProgress.size
  }

  /**
   * Runs a sign-in with `work`, which throws `invalid_client` for wrong credentials. Throws what it
   * throws, or `too_many_requests` without running it.
   */
  async attempt<T>({ address, name }: SignInAttempt, work: () => Promise<T>): Promise<T> {
    const nameKey = toNameKey(name)
    const wait = this.#getWait(address, nameKey, name.includes('@'))
    if (wait > 0) throw tooManyAttemptsError(wait)
    this.#countInProgress(address, 1)
    try {
      const result = await work()
      this.#names.clear(nameKey)
      return result
    } catch (error) {
      if (isRelayError(error, 'invalid_client')) this.#recordFailure(address, nameKey)
      throw error
    } finally {
      this.#countInProgress(address, -1)
    }
  }

  /**
   * Looks up a secret that is its own name, with `work`; undefined counts as a failure of the
   * address. The number of concurrent look-ups is not limited. Throws `too_many_requests` without
   * running `work`.
   */
  async lookUp<T>(address: string, work: () => Promise<T | undefined>): Promise<T | undefined> {
    const now = this.#clock.now()
    const { failures, last } = this.#addresses.get(address, now) ?? { failures: 0, last: 0 }
    const wait = last + getThrottleDelay(failures, this.#settings.address) - now
    if (wait > 0) throw tooManyAttemptsError(wait)
    const found = await work()
    if (found === undefined) this.#addresses.add(address, this.#clock.now())
    return found
  }

  #getWait(address: string, nameKey: string, isPassword: boolean): number {
    const { address: byAddress, name: byName, keysAtOnce, passwordsAtOnce } = this.#settings
    const now = this.#clock.now()
    const own = this.#addresses.get(address, now)
    const inProgress = this.#inProgress.get(address) ?? 0
    const atOnce = isPassword ? passwordsAtOnce : keysAtOnce
    if (own === undefined) return inProgress < atOnce ? 0 : byAddress.first
    const allowed = Math.min(atOnce, Math.max(1, byAddress.free - own.failures))
    const ofName = this.#names.get(nameKey, now)?.failures ?? 0
    const delay = Math.max(
      getThrottleDelay(own.failures, byAddress),
      getThrottleDelay(ofName, byName),
    )
    const wait = Math.max(0, own.last + delay - now)
    return wait === 0 && inProgress >= allowed ? byAddress.first : wait
  }

  #recordFailure(address: string, nameKey: string): void {
    const now = this.#clock.now()
    this.#addresses.add(address, now)
    this.#names.add(nameKey, now)
  }

  #countInProgress(address: string, change: 1 | -1): void {
    const count = (this.#inProgress.get(address) ?? 0) + change
    if (count === 0) this.#inProgress.delete(address)
    else this.#inProgress.set(address, count)
  }
}

/** Milliseconds from a failed sign-in to the next attempt, by the number of failures so far. */
export function getThrottleDelay(failures: number, { free, first, max }: ThrottleDelay): number {
  return failures < free ? 0 : Math.min(max, first * 2 ** (failures - free))
}

interface FailureCount {
  readonly failures: number
  /** Time of the last failed sign-in, in milliseconds. */
  readonly last: number
}

/** Counts failed sign-ins by key, for a limited time and a limited number of keys. */
class FailureCounter {
  readonly #memory: number
  readonly #maxKeys: number
  /** In the order of the last failed sign-ins. */
  readonly #entries = new Map<string, FailureCount>()

  constructor(memory: number, maxKeys: number) {
    this.#memory = memory
    this.#maxKeys = maxKeys
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string, now: number): FailureCount | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (now - entry.last >= this.#memory) {
      this.#entries.delete(key)
      return undefined
    }
    // A clock that is set back must not make the sign-in delay longer.
    if (now >= entry.last) return entry
    const moved = { ...entry, last: now }
    this.#entries.set(key, moved)
    return moved
  }

  add(key: string, now: number): void {
    const failures = (this.get(key, now)?.failures ?? 0) + 1
    this.#entries.delete(key)
    this.#entries.set(key, { failures, last: now })
    const oldest = this.#entries.keys().next()
    if (this.#entries.size > this.#maxKeys && oldest.done !== true) {
      this.#entries.delete(oldest.value)
    }
  }

  clear(key: string): void {
    this.#entries.delete(key)
  }
}

/** The name of a sign-in as a key of fixed length, however long the name is. */
function toNameKey(name: string): string {
  return hashText(name.includes('@') ? name.toLowerCase() : name)
}

function tooManyAttemptsError(wait: number): RelayError {
  const seconds = Math.ceil(wait / 1000)
  return new RelayError(
    'too_many_requests',
    `Too many wrong credentials; try again in ${seconds} s.`,
    { retryAfter: seconds },
  )
}
