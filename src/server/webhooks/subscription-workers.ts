import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventName } from '../../domain/webhook/event.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import { retryUntilSuccess } from '../../util/async/retry-until-success.js'
import type { DeliveryAttempt, DueEvent, StoreChange } from '../services/webhooks/next-delivery.js'
import { resendEvent, type WebhookContext } from './attempt-delivery.js'
import { SubscriptionWorker } from './subscription-worker.js'

/** Workers that are woken in one turn of the event loop; the others follow in later turns. */
const wakesPerTurn = 100

interface WorkerGroup {
  readonly workers: Set<SubscriptionWorker>
  remaining: Iterator<SubscriptionWorker> | undefined
  isStale: boolean
}

export class SubscriptionWorkers {
  readonly #context: WebhookContext
  readonly #workers = new Map<string, SubscriptionWorker>()
  readonly #groups = new Map<string, Map<EventName, WorkerGroup>>()
  /** Groups with workers to wake, in the order of their turns. */
  readonly #waking = new Set<WorkerGroup>()
  readonly #unknown = new Set<string>()
  /** Accounts whose subscriptions another node changed. */
  readonly #changed = new Set<string>()
  #isLoading = false
  #isWaking = false
  #isRefreshing = false
  #isRefreshDue = false

  constructor(context: WebhookContext) {
    this.#context = context
  }

  async startAll(): Promise<void> {
    const subscriptions = await this.#context.store.subscriptions.list()
    for (const [index, subscription] of subscriptions.entries()) {
      if (index % wakesPerTurn === wakesPerTurn - 1) await nextTurn()
      if (this.#context.stopping.aborted) return
      if (this.#hasLease(subscription.account)) this.getOrStart(subscription)
    }
  }

  refresh(): void {
    for (const worker of this.#workers.values()) {
      if (this.#hasLease(worker.subscription.account)) worker.resume()
      else this.#retire(worker)
    }
    this.#isRefreshDue = true
    if (!this.#isRefreshing) void this.#context.inFlight.track(this.#startMissing())
  }

  lookAgain(): void {
    for (const worker of this.#workers.values()) worker.wake()
    this.refresh()
  }

  getOrStart(subscription: Subscription): SubscriptionWorker {
    const known = this.#workers.get(subscription.id)
    if (known !== undefined) return known
    const worker = new SubscriptionWorker(this.#context, subscription, gone => this.#remove(gone))
    this.#workers.set(subscription.id, worker)
    this.#getGroup(subscription).workers.add(worker)
    worker.wake()
    return worker
  }

  handleChange({ account, events, subscriptions, foreign }: StoreChange): void {
    const groups = this.#groups.get(account)
    for (const event of events) {
      const group = groups?.get(event)
      if (group !== undefined) this.#notify(group)
    }
    if (!this.#hasLease(account)) return
    if (foreign?.subscriptions === true) this.#changed.add(account)
    for (const id of subscriptions) {
      const worker = this.#workers.get(id)
      if (worker === undefined) this.#unknown.add(id)
      else worker.wake()
    }
    if (this.#unknown.size + this.#changed.size > 0 && !this.#isLoading) {
      void this.#context.inFlight.track(this.#load())
    }
  }

  /**
   * Sends one webhook for an event again: by the subscription's worker, or beside its window if
   * another node has the worker. Throws `not_a_subscription` and `unavailable`.
   */
  async resend(subscription: Subscription, due: DueEvent): Promise<DeliveryAttempt> {
    if (this.#hasLease(subscription.account)) {
      return await this.getOrStart(subscription).resend(due)
    }
    return await this.#context.inFlight.track(resendEvent(this.#context, subscription, due))
  }

  cancelTimers(): void {
    for (const worker of this.#workers.values()) worker.cancelTimer()
  }

  #notify(group: WorkerGroup): void {
    if (group.workers.size <= wakesPerTurn) {
      for (const worker of group.workers) worker.notify()
      return
    }
    if (group.remaining === undefined) group.remaining = group.workers.values()
    else group.isStale = true
    this.#waking.add(group)
    if (!this.#isWaking) void this.#context.inFlight.track(this.#wakeInTurns())
  }

  async #wakeInTurns(): Promise<void> {
    this.#isWaking = true
    while (this.#waking.size > 0 && !this.#context.stopping.aborted) {
      for (let count = 0; count < wakesPerTurn; count += 1) this.#wakeNext()
      await nextTurn()
    }
    this.#isWaking = false
  }

  #wakeNext(): void {
    const [group] = this.#waking
    if (group === undefined) return
    this.#waking.delete(group)
    const next = group.remaining?.next()
    if (next?.done === false) {
      next.value.notify()
    } else {
      group.remaining = group.isStale ? group.workers.values() : undefined
      group.isStale = false
    }
    if (group.remaining !== undefined) this.#waking.add(group)
  }

  async #load(): Promise<void> {
    const { subscriptions } = this.#context.store
    this.#isLoading = true
    for (const id of this.#unknown) {
      this.#unknown.delete(id)
      const found = await this.#retry(() => subscriptions.get(id))
      if (found !== undefined && this.#hasLease(found.account)) this.getOrStart(found)
    }
    for (const account of this.#changed) {
      this.#changed.delete(account)
      const found = (await this.#retry(() => subscriptions.list(account))) ?? []
      if (this.#hasLease(account)) for (const each of found) this.getOrStart(each)
      this.#wakeAll(account)
    }
    this.#isLoading = false
  }

  #wakeAll(account: string): void {
    for (const { workers } of this.#groups.get(account)?.values() ?? []) {
      for (const worker of workers) worker.wake()
    }
  }

  async #startMissing(): Promise<void> {
    this.#isRefreshing = true
    while (this.#isRefreshDue && !this.#context.stopping.aborted) {
      this.#isRefreshDue = false
      await this.#retry(() => this.startAll())
    }
    this.#isRefreshing = false
  }

  async #retry<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { clock, stopping, onError } = this.#context
    return await retryUntilSuccess(work, { clock, signal: stopping, onError })
  }

  #hasLease(account: string): boolean {
    return this.#context.store.workerLeases.find(account) !== undefined
  }

  #retire(worker: SubscriptionWorker): void {
    this.#remove(worker)
    worker.retire()
  }

  #getGroup({ account, event }: Subscription): WorkerGroup {
    const groups = this.#groups.get(account) ?? new Map<EventName, WorkerGroup>()
    this.#groups.set(account, groups)
    const known = groups.get(event)
    if (known !== undefined) return known
    const group = { workers: new Set<SubscriptionWorker>(), remaining: undefined, isStale: false }
    groups.set(event, group)
    return group
  }

  #remove(worker: SubscriptionWorker): void {
    const { id, account, event } = worker.subscription
    this.#workers.delete(id)
    const groups = this.#groups.get(account)
    const group = groups?.get(event)
    group?.workers.delete(worker)
    if (group?.workers.size === 0) groups?.delete(event)
    if (groups?.size === 0) this.#groups.delete(account)
  }
}
