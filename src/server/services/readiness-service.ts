import { RelayError } from '../../errors.js'
import type { Clock } from '../../util/async/clock.js'
import type { StoreFailure } from '../store/store.js'
import type { ServiceContext } from './service-context.js'

/** A reason why the service says that the relay is not ready; it names no path and no secret. */
export interface FailedCheck {
  readonly check: 'draining' | 'data' | StoreFailure['check']
  readonly reason: string
}

/** Milliseconds after which a store without an answer counts as failed. */
const timeout = 2000
/** Milliseconds for which the store is not asked again. */
const maxAge = 1000

export class ReadinessService {
  readonly #context: Pick<ServiceContext, 'store' | 'problems' | 'clock'>
  #isDraining = false
  #last: { readonly at: number; readonly failure: Promise<StoreFailure | undefined> } | undefined

  constructor(context: Pick<ServiceContext, 'store' | 'problems' | 'clock'>) {
    this.#context = context
  }

  startDraining(): void {
    this.#isDraining = true
  }

  /** Lists the service's reasons why the relay is not ready; empty if it is. Never rejects. */
  async listFailures(): Promise<FailedCheck[]> {
    const failures: FailedCheck[] = []
    if (this.#isDraining) failures.push({ check: 'draining', reason: 'The relay is stopping.' })
    if (this.#context.problems.has('store_damaged')) {
      failures.push({ check: 'data', reason: 'The data on disk is damaged.' })
    }
    const failure = await this.findStoreFailure()
    if (failure !== undefined) failures.push({ check: failure.check, reason: failure.reason })
    return failures
  }

  /** Asks the store, at most once a second and for at most two seconds. Never rejects. */
  async findStoreFailure(): Promise<StoreFailure | undefined> {
    const { clock } = this.#context
    const now = clock.monotonic()
    if (this.#last === undefined || now - this.#last.at >= maxAge) {
      this.#last = { at: now, failure: this.#askStore() }
    }
    return await this.#last.failure
  }

  async #askStore(): Promise<StoreFailure | undefined> {
    const { store, clock } = this.#context
    try {
      return await withTimeout(store.findFailure(), clock)
    } catch (error) {
      const isLate = error instanceof RelayError && error.code === 'timed_out'
      const reason = isLate ? 'The store does not answer.' : 'The store cannot be used.'
      return { check: 'store', reason }
    }
  }
}

async function withTimeout<T>(work: Promise<T>, clock: Pick<Clock, 'after'>): Promise<T> {
  let cancel = (): void => {}
  const expired = new Promise<never>((_, reject) => {
    cancel = clock.after(timeout, () => reject(new RelayError('timed_out', 'No answer in time.')))
  })
  return await Promise.race([work, expired]).finally(cancel)
}
