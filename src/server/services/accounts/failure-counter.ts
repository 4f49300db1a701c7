import { RelayError } from '../../../errors.js'

/** How failures make a throttle delay the next attempt. Times in milliseconds. */
export interface ThrottleDelay {
  /** Failures that the throttle accepts without a delay. */
  readonly free: number
  /** Delay after the throttle's first failure beyond those; each further failure doubles it. */
  readonly first: number
  readonly max: number
}

/** Milliseconds from a failure to the next attempt, by the number of failures so far. */
export function getThrottleDelay(failures: number, { free, first, max }: ThrottleDelay): number {
  return failures < free ? 0 : Math.min(max, first * 2 ** (failures - free))
}

/** The throttle's error for an attempt that came too early; `wait` in milliseconds. */
export function tooManyAttemptsError(what: string, wait: number): RelayError {
  const seconds = Math.ceil(wait / 1000)
  return new RelayError('too_many_requests', `Too many ${what}; try again in ${seconds} s.`, {
    retryAfter: seconds,
  })
}

export interface FailureCount {
  readonly failures: number
  /** Time of the last failure that the throttle counted, in milliseconds. */
  readonly last: number
}

/** Counts failures by key, for a limited time and a limited number of keys. */
export class FailureCounter {
  readonly #memory: number
  readonly #maxKeys: number
  /** Counted failures, in the order of the last ones. */
  readonly #entries = new Map<string, FailureCount>()

  /**
   * @param memory milliseconds without a failure after which the throttle forgets earlier failures
   * @param maxKeys keys to remember; the one with the oldest last failure is dropped first
   */
  constructor(memory: number, maxKeys: number) {
    this.#memory = memory
    this.#maxKeys = maxKeys
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string, now: number): FailureCount {
    const entry = this.#entries.get(key)
    if (entry === undefined) return { failures: 0, last: now }
    if (now - entry.last >= this.#memory) {
      this.#entries.delete(key)
      return { failures: 0, last: now }
    }
    // A clock that is set back must not make the throttle's delay longer.
    if (now >= entry.last) return entry
    const moved = { ...entry, last: now }
    this.#entries.set(key, moved)
    return moved
  }

  add(key: string, now: number): void {
    const failures = this.get(key, now).failures + 1
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
