import type { Subscription } from '../../domain/webhook/subscription.js'
import { retryUntilSuccess } from '../../util/async/retry-until-success.js'
import type { StoreChange } from '../services/webhooks/next-delivery.js'
import { SubscriptionWorker, type WebhookContext } from './subscription-worker.js'

/** A worker for each subscription, woken by the changes in the store. */
export class SubscriptionWorkers {
  readonly #context: WebhookContext
  /** Subscription workers by account, then by subscription. */
  readonly #accounts = new Map<string, Map<string, SubscriptionWorker>>()
  readonly #unknown = new Set<string>()
  #isLoading = false

  constructor(context: WebhookContext) {
    this.#context = context
  }

  startAll(subscriptions: readonly Subscription[]): void {
    for (const subscription of subscriptions) this.getOrStart(subscription)
  }

  getOrStart(subscription: Subscription): SubscriptionWorker {
    const { account, id } = subscription
    const known = this.#accounts.get(account)?.get(id)
    if (known !== undefined) return known
    const worker = new SubscriptionWorker(this.#context, subscription, gone => this.#remove(gone))
    const workers = this.#accounts.get(account) ?? new Map<string, SubscriptionWorker>()
    this.#accounts.set(account, workers.set(id, worker))
    worker.wake()
    return worker
  }

  handleChange({ account, events, subscriptions }: StoreChange): void {
    const workers = this.#accounts.get(account)
    for (const worker of workers?.values() ?? []) {
      if (events.includes(worker.subscription.event)) worker.notify()
    }
    for (const id of subscriptions) {
      const worker = workers?.get(id)
      if (worker === undefined) this.#unknown.add(id)
      else worker.wake()
    }
    if (this.#unknown.size > 0 && !this.#isLoading) {
      void this.#context.inFlight.track(this.#startUnknown())
    }
  }

  cancelTimers(): void {
    for (const workers of this.#accounts.values()) {
      for (const worker of workers.values()) worker.cancelTimer()
    }
  }

  async #startUnknown(): Promise<void> {
    const { store, clock, stopping, onError } = this.#context
    const options = { clock, signal: stopping, onError }
    this.#isLoading = true
    for (const id of this.#unknown) {
      this.#unknown.delete(id)
      const found = await retryUntilSuccess(() => store.subscriptions.get(id), options)
      if (found !== undefined) this.getOrStart(found)
    }
    this.#isLoading = false
  }

  #remove({ subscription: { account, id } }: SubscriptionWorker): void {
    const workers = this.#accounts.get(account)
    workers?.delete(id)
    if (workers?.size === 0) this.#accounts.delete(account)
  }
}
