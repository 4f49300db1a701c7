import type { Subscription } from '../../domain/webhook/subscription.js'
import { retryUntilSuccess } from '../../util/async/retry-until-success.js'
import {
  type DeliveryAttempt,
  type DueEvent,
  findNextDeliveries,
  type NextDeliveries,
  type WorkerLease,
} from '../services/webhooks/next-delivery.js'
import { getSigningSecrets } from '../services/webhooks/signing-secret-service.js'
import {
  type DueWebhook,
  deliverEvent,
  getWebhookHost,
  sendAttempt,
  type WebhookContext,
} from './attempt-delivery.js'
import {
  movedError,
  ResendQueue,
  type ResendRequest,
  removedError,
  stoppingError,
} from './resend-queue.js'

/**
 * The wall clock may be set while a subscription worker's timer runs, so a long wait for a retry
 * checks it once an hour.
 */
const maxTimer = 60 * 60 * 1000

const retryingName = 'webhook_backlog{state="retrying"}'

/** Sends one webhook, and resolves when its result is durable. */
type Work = () => Promise<void>

/**
 * Delivers the events of one subscription (docs/reference/interface.md 6). Webhooks start in order;
 * at most as many as the subscription's window are in flight. The next one starts when the result
 * of one is durable. When idle, it holds only a retry timer.
 */
export class SubscriptionWorker {
  readonly #context: WebhookContext
  readonly #onGone: (worker: SubscriptionWorker) => void
  #subscription: Subscription
  #cancelTimer: (() => void) | undefined
  /** The events whose webhooks are in flight, with the subscription's `replays` at their start. */
  readonly #started = new Map<number, number | undefined>()
  readonly #resends = new ResendQueue()
  #resending = 0
  #isRunning = false
  #hasWork = false
  #isPaused = false
  #isRetired = false

  constructor(
    context: WebhookContext,
    subscription: Subscription,
    onGone: (worker: SubscriptionWorker) => void = () => {},
  ) {
    this.#context = context
    this.#subscription = subscription
    this.#onGone = onGone
  }

  get subscription(): Subscription {
    return this.#subscription
  }

  wake(): void {
    this.#hasWork = true
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#context.inFlight.track(this.#run())
  }

  resume(): void {
    if (this.#hasWork) this.wake()
  }

  /**
   * Ends this worker because another node has the lease of its account; its webhooks in flight
   * end by themselves.
   */
  retire(): void {
    this.#isRetired = true
    this.cancelTimer()
    this.#resends.rejectAll(movedError(this.#subscription))
  }

  notify(): void {
    if (!this.#isPaused && this.#hasPlace) this.wake()
  }

  /**
   * Sends one webhook for an event in a place of the window; the subscription's cursor stays.
   * Throws `not_a_subscription` and `unavailable`.
   */
  async resend(due: DueEvent): Promise<DeliveryAttempt> {
    if (this.#context.stopping.aborted) throw stoppingError()
    const sent = this.#resends.add(due)
    this.wake()
    return await sent
  }

  cancelTimer(): void {
    if (this.#cancelTimer === undefined) return
    this.#cancelTimer()
    this.#cancelTimer = undefined
    this.#context.metrics.increment(retryingName, -1)
  }

  get #hasPlace(): boolean {
    return this.#started.size + this.#resending < (this.#subscription.window ?? 1)
  }

  async #run(): Promise<void> {
    const { slots, stopping } = this.#context
    while (this.#hasWork && this.#lease !== undefined && (await this.#findPlace())) {
      const host = getWebhookHost(this.#subscription)
      const release = await slots.acquire(this.#subscription.account, host)
      const work = this.#isEnding ? undefined : await this.#retry(() => this.#findWork(host))
      if (work === undefined) release()
      else this.#start(work, release)
    }
    this.#isRunning = false
    if (stopping.aborted) this.#resends.rejectAll(stoppingError())
  }

  get #isEnding(): boolean {
    return this.#isRetired || this.#context.stopping.aborted
  }

  /** The lease under which a webhook may start now. */
  get #lease(): WorkerLease | undefined {
    if (this.#isEnding) return undefined
    const lease = this.#context.store.workerLeases.find(this.#subscription.account)
    return lease?.canStart() === true ? lease : undefined
  }

  /**
   * Whether the worker has a place in the subscription's window, which an edit may have widened.
   */
  async #findPlace(): Promise<boolean> {
    if (this.#hasPlace) return true
    const { subscriptions } = this.#context.store
    const found = await this.#retry(() => subscriptions.get(this.#subscription.id))
    if (found !== undefined) this.#subscription = found
    return this.#hasPlace
  }

  /**
   * Finds what to send next.
   *
   * @param host the host that the worker's slot is for
   */
  async #findWork(host: string): Promise<Work | undefined> {
    const { store, clock, pacer } = this.#context
    this.#hasWork = false
    // A webhook whose result becomes durable during the worker's read may look due in it.
    const before = new Set(this.#started.keys())
    const next = await findNextDeliveries(store, this.#subscription, clock.now())
    if (this.#isEnding) return undefined
    this.#isPaused = next.kind === 'paused'
    this.cancelTimer()
    if (next.kind === 'gone') {
      this.#onGone(this)
      this.#resends.rejectAll(removedError(this.#subscription))
      return undefined
    }
    this.#subscription = next.subscription
    if (next.kind === 'open' && next.retryAt !== undefined) this.#setTimer(next.retryAt)
    const due = this.#findStartable(next, before)
    if (due === undefined && this.#resends.isEmpty) return undefined
    this.#hasWork = true
    if (getWebhookHost(this.#subscription) !== host) return undefined
    const secrets = await getSigningSecrets(store, next.subscription, clock.now())
    await pacer.take()
    // The lease may have ended while the worker waited.
    const lease = this.#lease
    return lease && this.#chooseWork({ subscription: next.subscription, secrets }, due, lease)
  }

  #findStartable(next: NextDeliveries, before: ReadonlySet<number>): DueEvent | undefined {
    if (next.kind !== 'open') return undefined
    const { replays } = next.subscription
    // After a replay the worker's webhooks from before end first, so that starts stay in order.
    if ([...this.#started.values()].some(each => each !== replays)) return undefined
    return next.due.find(({ event: { seq } }) => !before.has(seq) && !this.#started.has(seq))
  }

  #chooseWork(
    known: Omit<DueWebhook, 'due'>,
    due: DueEvent | undefined,
    lease: WorkerLease,
  ): Work | undefined {
    const resend = this.#resends.take(due !== undefined)
    if (resend !== undefined) return () => this.#resend({ ...known, due: resend.due }, resend)
    return due && (() => lease.track(this.#deliver({ ...known, due }, lease)))
  }

  #start(work: Work, release: () => void): void {
    const end = (): void => {
      release()
      this.wake()
    }
    void this.#context.inFlight.track(work().finally(end))
    if (!this.#hasPlace) this.#hasWork = false
  }

  #setTimer(retryAt: number): void {
    const { clock, metrics } = this.#context
    const wait = Math.min(retryAt - clock.now(), maxTimer)
    this.#cancelTimer = clock.after(wait, () => {
      this.cancelTimer()
      this.wake()
    })
    metrics.increment(retryingName)
  }

  async #deliver(webhook: DueWebhook, lease: WorkerLease): Promise<void> {
    const { seq } = webhook.due.event
    this.#started.set(seq, webhook.subscription.replays)
    try {
      const recorded = await deliverEvent(this.#context, webhook, lease)
      this.#subscription = recorded ?? this.#subscription
    } finally {
      this.#started.delete(seq)
    }
  }

  async #resend(webhook: DueWebhook, { resolve, reject }: ResendRequest): Promise<void> {
    this.#resending += 1
    const attempt = await sendAttempt(this.#context, webhook, { isRetry: true })
    this.#resending -= 1
    if (!attempt.result.ok && this.#context.abandoning.aborted) reject(stoppingError())
    else resolve({ ...attempt, resend: true })
  }

  async #retry<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { clock, stopping, onError } = this.#context
    return await retryUntilSuccess(work, { clock, signal: stopping, onError })
  }
}
