import type { EventName } from '../../domain/webhook/event.js'
import type { SubscriptionWorker } from './subscription-worker.js'

/** The lanes of a dispatcher, found by account. */
export class WorkerRegistry {
  readonly #accounts = new Map<string, Map<string, SubscriptionWorker>>()

  /** Every lane. */
  all(): SubscriptionWorker[] {
    return [...this.#accounts.values()].flatMap(lanes => [...lanes.values()])
  }

  /** The lanes of an account. */
  list(account: string): SubscriptionWorker[] {
    return [...(this.#accounts.get(account)?.values() ?? [])]
  }

  /** The lanes of an account that one of these events concerns. */
  findByEvents(account: string, events: readonly EventName[]): SubscriptionWorker[] {
    return this.list(account).filter(lane => events.includes(lane.subscription.event))
  }

  /** The lane of a subscription. */
  get(account: string, id: string): SubscriptionWorker | undefined {
    return this.#accounts.get(account)?.get(id)
  }

  /** Adds a lane. */
  add(lane: SubscriptionWorker): void {
    const { account, id } = lane.subscription
    const lanes = this.#accounts.get(account) ?? new Map<string, SubscriptionWorker>()
    this.#accounts.set(account, lanes.set(id, lane))
  }

  /** Removes a lane. */
  remove(lane: SubscriptionWorker): void {
    const { account, id } = lane.subscription
    const lanes = this.#accounts.get(account)
    lanes?.delete(id)
    if (lanes?.size === 0) this.#accounts.delete(account)
  }
}
