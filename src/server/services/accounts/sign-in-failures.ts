import {
  addFailure,
  type FailureCount,
  getCurrentFailures,
  removeFailure,
} from '../../../domain/account/failure-count.js'
import type { ServiceContext } from '../service-context.js'

export interface AttemptKeys {
  readonly address: string
  readonly name: string
  readonly pair: string
}

type CountName = keyof AttemptKeys

export interface AttemptCounts extends Readonly<Record<CountName, FailureCount>> {
  /** When the pair signed in before; undefined: the limits of the address apply. */
  readonly signedInAt: number | undefined
}

export interface CountedFailure {
  readonly name: CountName
  readonly before: FailureCount | undefined
  readonly after: FailureCount
}

const hour = 60 * 60_000

/** How long a sign-in exempts a pair from the limits of its address, in milliseconds. */
const signInMemory = 30 * 24 * hour

export class SignInFailures {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>
  readonly #memory: number

  constructor(context: Pick<ServiceContext, 'store' | 'clock'>, memory: number) {
    this.#context = context
    this.#memory = memory
  }

  async get(keys: AttemptKeys): Promise<AttemptCounts> {
    const { store, clock } = this.#context
    const [pair, address, name, signedInAt] = await Promise.all([
      this.#get(keys, 'pair'),
      this.#get(keys, 'address'),
      this.#get(keys, 'name'),
      store.limits.get('signed in', keys.pair),
    ])
    const isKnown = signedInAt !== undefined && clock.now() - signedInAt < signInMemory
    return { pair, address, name, signedInAt: isKnown ? signedInAt : undefined }
  }

  async count(
    keys: AttemptKeys,
    check: (name: CountName, current: FailureCount) => void = () => {},
  ): Promise<CountedFailure[]> {
    const names = ['pair', 'address', 'name'] as const
    const results = await Promise.allSettled(names.map(name => this.#count(keys, name, check)))
    const rejected = results.find(each => each.status === 'rejected')
    const counted = results.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
    if (rejected === undefined) return counted
    await this.takeBack(keys, counted)
    throw rejected.reason
  }

  async takeBack(keys: AttemptKeys, counted: readonly CountedFailure[]): Promise<void> {
    const until = this.#context.clock.now() + this.#memory
    const { limits } = this.#context.store
    const changes = counted.map(({ name, before, after }) =>
      limits.change(`sign-in ${name}`, keys[name], until, state =>
        removeFailure(state, before, after),
      ),
    )
    await Promise.all(changes)
  }

  async recordSuccess(
    keys: AttemptKeys,
    { name, signedInAt }: AttemptCounts,
    counted: readonly CountedFailure[],
  ): Promise<void> {
    const { store, clock } = this.#context
    const now = clock.now()
    const others = counted.filter(each => each.name !== 'name')
    const hasFailed = name.failures > 0 || counted.length > 0
    const isRecent = signedInAt !== undefined && now - signedInAt < hour
    const until = now + signInMemory
    await Promise.all([
      this.takeBack(keys, others),
      hasFailed ? store.limits.change('sign-in name', keys.name, now, () => null) : undefined,
      isRecent ? undefined : store.limits.change('signed in', keys.pair, until, () => now),
    ])
  }

  async #get(keys: AttemptKeys, name: CountName): Promise<FailureCount> {
    const { store, clock } = this.#context
    const [kind, key, now] = [`sign-in ${name}`, keys[name], clock.now()] as const
    const state = await store.limits.get(kind, key)
    const current = getCurrentFailures(state, now, this.#memory)
    // A clock that was set back must not make the delay longer, so it begins again at `now`.
    if (state !== undefined && state.last > now) {
      await store.limits.change(kind, key, now + this.#memory, found =>
        found === undefined ? null : getCurrentFailures(found, now, this.#memory),
      )
    }
    return current
  }

  async #count(
    keys: AttemptKeys,
    name: CountName,
    check: (name: CountName, current: FailureCount) => void,
  ): Promise<CountedFailure> {
    const { store, clock } = this.#context
    const now = clock.now()
    const until = now + this.#memory
    const kind = `sign-in ${name}` as const
    const { before, after } = await store.limits.change(kind, keys[name], until, state => {
      const current = getCurrentFailures(state, now, this.#memory)
      check(name, current)
      return addFailure(current, now)
    })
    return { name, before, after: after as FailureCount }
  }
}
