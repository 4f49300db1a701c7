import {
  type FailureCount,
  getThrottleWait,
  type ThrottleDelay,
} from '../../../domain/account/failure-count.js'
import { isRelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import type { ServiceContext } from '../service-context.js'
import { type AttemptCounts, type AttemptKeys, SignInFailures } from './sign-in-failures.js'
import { tooManyAttemptsError } from './too-many-attempts.js'

export interface ThrottleSettings {
  readonly pair: ThrottleDelay
  /** For sign-in attempts from an address, except to accounts that signed in from there before. */
  readonly address: ThrottleDelay
  /** For sign-in attempts to an account from all addresses that failed with it. */
  readonly name: ThrottleDelay
  /** Milliseconds without a failed sign-in after which the throttle forgets earlier ones. */
  readonly memory: number
  /** Concurrent sign-in attempts with keys, for an address and for a pair, on this node. */
  readonly keysAtOnce: number
  /** Concurrent sign-in attempts with passwords, which are expensive to check, in the same way. */
  readonly passwordsAtOnce: number
}

const defaultThrottleSettings: ThrottleSettings = {
  pair: { free: 10, first: 1000, max: 15 * 60_000 },
  address: { free: 100, first: 1000, max: 60_000 },
  name: { free: 10, first: 1000, max: 60_000 },
  memory: 60 * 60_000,
  keysAtOnce: 64,
  passwordsAtOnce: 4,
}

export interface SignInAttempt {
  readonly address: string
  /** The secret key or the e-mail address of the sign-in attempt. */
  readonly name: string
  readonly kind: 'key' | 'password'
}

/**
 * Throttles attempts to guess credentials. Failures count for the pair of client address and name,
 * so they delay nobody else behind the address, and an attacker elsewhere cannot lock the owner
 * out. Two further counts slow down an attacker who changes one of the two: failures at a name from
 * anywhere delay the pairs that failed with it, by at most `name.max`; failures from an address
 * delay all its pairs that never succeeded. A success does not reset the counts of its address and
 * pair: otherwise the sign-ins of an owner would give new attempts to an attacker behind the same
 * address.
 *
 * The store has the counts, so all its nodes share them. After the first failure an attempt counts
 * as a failure before its credentials are checked, and a success takes that back: otherwise
 * attempts at the same time, on any nodes, would all pass before the first of them counts.
 */
export class SignInThrottle {
  readonly #context: Pick<ServiceContext, 'store' | 'clock' | 'metrics'>
  readonly #settings: ThrottleSettings
  readonly #failures: SignInFailures
  readonly #inProgress = new Map<string, number>()

  constructor(
    context: Pick<ServiceContext, 'store' | 'clock' | 'metrics'>,
    settings: Partial<ThrottleSettings> = {},
  ) {
    this.#context = context
    this.#settings = { ...defaultThrottleSettings, ...settings }
    this.#failures = new SignInFailures(context, this.#settings.memory)
  }

  get size(): number {
    return this.#inProgress.size
  }

  /**
   * Runs `work`, which throws `invalid_client` for wrong credentials. Throws what it throws, or
   * `too_many_requests` without running it.
   */
  async attempt<T>({ address, name, kind }: SignInAttempt, work: () => Promise<T>): Promise<T> {
    const hash = toNameKey(name)
    const keys = { address, name: hash, pair: `${address} ${hash}` }
    const counts = await this.#failures.get(keys)
    const slots = counts.signedInAt === undefined ? [keys.pair, address] : [keys.pair]
    const atOnce = kind === 'key' ? this.#settings.keysAtOnce : this.#settings.passwordsAtOnce
    const hasSlots = slots.every(slot => (this.#inProgress.get(slot) ?? 0) < atOnce)
    const waits = (['pair', 'address'] as const).map(each =>
      this.#getWait(each, counts[each], counts),
    )
    assertNoWait(Math.max(...waits, hasSlots ? 0 : this.#settings.pair.first))
    for (const slot of slots) this.#countInProgress(slot, 1)
    try {
      return await this.#run(keys, counts, kind, work)
    } finally {
      for (const slot of slots) this.#countInProgress(slot, -1)
    }
  }

  async #run<T>(
    keys: AttemptKeys,
    counts: AttemptCounts,
    kind: SignInAttempt['kind'],
    work: () => Promise<T>,
  ): Promise<T> {
    const check = (name: keyof AttemptKeys, current: FailureCount): void =>
      assertNoWait(this.#getWait(name, current, counts))
    const counted = hasFailed(counts) ? await this.#failures.count(keys, check) : []
    const result = await work().catch(async error => {
      const isWrong = isRelayError(error, 'invalid_client')
      if (isWrong) this.#context.metrics.increment(`auth_failures_total{kind="${kind}"}`)
      if (isWrong && counted.length === 0) await this.#failures.count(keys)
      if (!isWrong) await this.#failures.takeBack(keys, counted)
      throw error
    })
    await this.#failures.recordSuccess(keys, counts, counted)
    return result
  }

  #getWait(name: keyof AttemptKeys, current: FailureCount, counts: AttemptCounts): number {
    const now = this.#context.clock.now()
    if (name === 'name') return 0
    if (name === 'address') {
      const isKnown = counts.signedInAt !== undefined
      return isKnown ? 0 : getThrottleWait(current, this.#settings.address, now)
    }
    // Failures at the name delay only pairs that failed.
    const failures = current.failures === 0 ? 0 : counts.name.failures
    return Math.max(
      getThrottleWait(current, this.#settings.pair, now),
      getThrottleWait({ failures, last: current.last }, this.#settings.name, now),
    )
  }

  #countInProgress(key: string, change: 1 | -1): void {
    const count = (this.#inProgress.get(key) ?? 0) + change
    if (count === 0) this.#inProgress.delete(key)
    else this.#inProgress.set(key, count)
  }
}

/** Whether an attempt must count before it is checked. */
function hasFailed({ pair, address, signedInAt }: AttemptCounts): boolean {
  return pair.failures > 0 || (signedInAt === undefined && address.failures > 0)
}

function assertNoWait(wait: number): void {
  if (wait > 0) throw tooManyAttemptsError('wrong credentials', wait)
}

/** The throttle's key of a name has a fixed length, however long the name is. */
function toNameKey(name: string): string {
  return hashText(name.includes('@') ? name.toLowerCase() : name)
}
