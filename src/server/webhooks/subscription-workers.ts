import type { Subscription } from '../../domain/webhook/subscription.js'
import { retryUntilSuccess } from '../../util/async/retry-until-success.js'
import type { StoreChange } from '../services/webhooks/next-delivery.js'
import { WorkerRegistry } from './roster.js'
import { SubscriptionWorker } from './subscription-worker.js'
import type { WebhookContext } from './webhook-context.js'

/** A lane for each subscription, following what the store tells. */
export class SubscriptionWorkers {
  readonly #context: WebhookContext
  readonly #roster = new WorkerRegistry()
  /** Identifiers of subscriptions that have no lane yet. */
  readonly #unknown = new Set<string>()
  #adopting = false

  constructor(context: WebhookContext) {
    this.#context = context
  }

  /** Starts a lane for each of these subscriptions that has none. */
  startAll(subscriptions: readonly Subscription[]): void {
    for (const subscription of subscriptions) this.getOrStart(subscription)
  }

  /** The lane of a subscription, started if there is none. */
  getOrStart(subscription: Subscription): SubscriptionWorker {
    const known = this.#roster.get(subscription.account, subscription.id)
    if (known !== undefined) return known
    const lane = new SubscriptionWorker(this.#context, subscription, gone =>
      this.#roster.remove(gone),
    )
    this.#roster.add(lane)
    lane.wake()
    return lane
  }

  /** Wakes the lanes that a notice concerns, and starts those of new subscriptions. */
  handleChange({ account, events, subscriptions }: StoreChange): void {
    for (const lane of this.#roster.findByEvents(account, events)) lane.notify()
    for (const id of subscriptions) {
      const lane = this.#roster.get(account, id)
      if (lane === undefined) this.#unknown.add(id)
      else lane.wake()
    }
    if (this.#unknown.size > 0 && !this.#adopting) {
      void this.#context.inFlight.track(() => this.#adoptUnknown())
    }
  }

  /** Makes every lane stop waiting for its retry. */
  sleep(): void {
    for (const lane of this.#roster.all()) lane.sleep()
  }

  async #adoptUnknown(): Promise<void> {
    this.#adopting = true
    for (const id of this.#unknown) {
      this.#unknown.delete(id)
      const { store, clock, stopping, onError } = this.#context
      const found = await retryUntilSuccess(() => store.subscriptions.get(id), {
        clock,
        signal: stopping,
        onError,
      })
      if (found !== undefined) this.getOrStart(found)
    }
    this.#adopting = false
  }
}
