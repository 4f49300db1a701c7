import { isRelayError, RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { FailureCounter } from './failure-counter.js'

/** How failures slow further tries down. Times in milliseconds. */
export interface ThrottleDelay {
  /** Failures that cost nothing. */
  readonly free: number
  /** The pause after the first failure beyond those; it doubles with each further one. */
  readonly first: number
  /** The longest pause. */
  readonly max: number
}

/** Settings of a {@link GuessGuard}. */
export interface ThrottleSettings {
  readonly address: ThrottleDelay
  readonly name: ThrottleDelay
  /** Milliseconds without a failure after which the earlier ones are forgotten. */
  readonly memory: number
  /** Addresses, and names, that are remembered; the one whose last failure is oldest goes first. */
  readonly maxRemembered: number
  /** Tries with keys that an address with no failures may have under way at once. */
  readonly keysAtOnce: number
  /** The same for passwords, which are costly to check. */
  readonly passwordsAtOnce: number
}

/** Settings unless told. */
export const defaultThrottleSettings: ThrottleSettings = {
  address: { free: 10, first: 1000, max: 15 * 60_000 },
  name: { free: 10, first: 1000, max: 60_000 },
  memory: 60 * 60_000,
  maxRemembered: 10_000,
  keysAtOnce: 64,
  passwordsAtOnce: 4,
}

/** Settings for secret URLs, which nobody can guess: a pause is to spare the service, and soon over for who shares the address. */
export const secretUrlThrottleSettings: Partial<ThrottleSettings> = {
  address: { free: 10, first: 1000, max: 60_000 },
}

/** Who tries to sign in. */
export interface SignInAttempt {
  readonly address: string
  /** The secret key or the e-mail address. */
  readonly name: string
}

/**
 * Slows down whoever tries credentials, by where the tries come from and by the name they are for. A pause counts
 * from the address's own last failure, and an address without one is never held up: so others who guess at a name
 * cannot lock its owner out, and a mistake while they do costs its owner `name.most` at worst. A success does not
 * clear the address's count, or an account of one's own would be a licence to guess at others.
 */
export class SignInThrottle {
  readonly #now: () => number
  readonly #settings: ThrottleSettings
  readonly #addresses: FailureCounter
  readonly #names: FailureCounter
  readonly #undecided = new Map<string, number>()

  constructor(now: () => number, settings: Partial<ThrottleSettings> = {}) {
    this.#now = now
    this.#settings = { ...defaultThrottleSettings, ...settings }
    const { memory, maxRemembered: remembered } = this.#settings
    this.#addresses = new FailureCounter(memory, remembered)
    this.#names = new FailureCounter(memory, remembered)
  }

  /** How many addresses and names are remembered. */
  get size(): number {
    return this.#addresses.size + this.#names.size + this.#undecided.size
  }

  /**
   * Signs in by `work`, which throws `invalid_client` for wrong credentials. Throws what it throws, and
   * `too_many_requests` without calling it.
   */
  async attempt<T>({ address, name }: SignInAttempt, work: () => Promise<T>): Promise<T> {
    const named = toNameKey(name)
    const wait = this.#wait(address, named, name.includes('@'))
    if (wait > 0) throw tooManyAttemptsError(wait)
    this.#count(address, 1)
    try {
      const result = await work()
      this.#names.clear(named)
      return result
    } catch (error) {
      if (isRelayError(error, 'invalid_client')) this.#failed(address, named)
      throw error
    } finally {
      this.#count(address, -1)
    }
  }

  /**
   * Looks up a secret that is its own name, by `work`; undefined counts as a failure of the address. Any number of
   * right ones may be under way at once. Throws `too_many_requests` without calling it.
   */
  async lookUp<T>(address: string, work: () => Promise<T | undefined>): Promise<T | undefined> {
    const now = this.#now()
    const { failures, last } = this.#addresses.get(address, now) ?? { failures: 0, last: 0 }
    const wait = last + getThrottleDelay(failures, this.#settings.address) - now
    if (wait > 0) throw tooManyAttemptsError(wait)
    const found = await work()
    if (found === undefined) this.#addresses.add(address, this.#now())
    return found
  }

  #wait(address: string, named: string, isPassword: boolean): number {
    const { address: byAddress, name: byName, keysAtOnce, passwordsAtOnce } = this.#settings
    const now = this.#now()
    const own = this.#addresses.get(address, now)
    const undecided = this.#undecided.get(address) ?? 0
    const atOnce = isPassword ? passwordsAtOnce : keysAtOnce
    if (own === undefined) return undecided < atOnce ? 0 : byAddress.first
    const left = Math.min(atOnce, Math.max(1, byAddress.free - own.failures))
    const others = this.#names.get(named, now)?.failures ?? 0
    const pause = Math.max(
      getThrottleDelay(own.failures, byAddress),
      getThrottleDelay(others, byName),
    )
    const wait = Math.max(0, own.last + pause - now)
    return wait === 0 && undecided >= left ? byAddress.first : wait
  }

  #failed(address: string, named: string): void {
    this.#addresses.add(address, this.#now())
    this.#names.add(named, this.#now())
  }

  #count(address: string, change: 1 | -1): void {
    const count = (this.#undecided.get(address) ?? 0) + change
    if (count === 0) this.#undecided.delete(address)
    else this.#undecided.set(address, count)
  }
}

/** Milliseconds from a failure to the next try, by the number of failures up to then. */
export function getThrottleDelay(
  failures: number,
  { free, first, max: most }: ThrottleDelay,
): number {
  return failures < free ? 0 : Math.min(most, first * 2 ** (failures - free))
}

/** Of a fixed length, however long a name somebody makes up. */
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
