import type { RelayEvent } from '../../domain/webhook/event.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import { RelayError } from '../../errors.js'
import { retryUntilSuccess } from '../../util/async/retry-until-success.js'
import {
  type DeliveryAttempt,
  type DueEvent,
  findNextDeliveries,
  type NextDeliveries,
} from '../services/webhooks/next-delivery.js'
import { getSigningSecrets } from '../services/webhooks/signing-secret-service.js'
import {
  deliverEvent,
  getWebhookHost,
  sendAttempt,
  type WebhookContext,
} from './attempt-delivery.js'

/**
 * The wall clock may be set while a subscription worker's timer runs, so a long wait for a retry
 * checks it once an hour.
 */
const maxTimer = 60 * 60 * 1000

const retryingName = 'webhook_backlog{state="retrying"}'

/** A webhook that a user requested; it is sent out of order. */
interface ResendRequest {
  readonly due: DueEvent
  readonly resolve: (attempt: DeliveryAttempt) => void
  readonly reject: (error: unknown) => void
}

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
  readonly #resends: ResendRequest[] = []
  #resending = 0
  #wasResend = false
  #isRunning = false
  #hasWork = false
  #isPaused = false

  constructor(
    context: WebhookContext,
    subscription: Subscription,
    onGone: (worker: SubscriptionWorker) => void = () => {},
  ) {
    this.#context = context
    this.#subscription = subscription
    this.#onGone = onGone
  }

  /** The last known state of the worker's subscription. */
  get subscription(): Subscription {
    return this.#subscription
  }

  wake(): void {
    this.#hasWork = true
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#context.inFlight.track(this.#run())
  }

  /** Looks for due events after a new event, unless the subscription is paused or has no place. */
  notify(): void {
    if (!this.#isPaused && this.#hasPlace) this.wake()
  }

  /**
   * Sends one webhook for an event in a place of the window; the subscription's cursor stays.
   * Throws `not_a_subscription` and `unavailable`.
   */
  async resend(event: RelayEvent, previous: number): Promise<DeliveryAttempt> {
    if (this.#context.stopping.aborted) throw stoppingError()
    return await new Promise<DeliveryAttempt>((resolve, reject) => {
      this.#resends.push({ due: { event, previous }, resolve, reject })
      this.wake()
    })
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
    while (this.#hasWork && !stopping.aborted && (await this.#findPlace())) {
      const host = getWebhookHost(this.#subscription)
      const release = await slots.acquire(this.#subscription.account, host)
      const work = stopping.aborted ? undefined : await this.#retry(() => this.#findWork(host))
      if (work === undefined) release()
      else this.#start(work, release)
    }
    this.#isRunning = false
    if (stopping.aborted) this.#rejectResends(stoppingError())
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
  async #findWork(host: string): Promise<(() => Promise<void>) | undefined> {
    const { store, clock, stopping, pacer } = this.#context
    this.#hasWork = false
    // A webhook whose result becomes durable during the worker's read may look due in it.
    const before = new Set(this.#started.keys())
    const next = await findNextDeliveries(store, this.#subscription, clock.now())
    if (stopping.aborted) return undefined
    this.#isPaused = next.kind === 'paused'
    this.cancelTimer()
    if (next.kind === 'gone') {
      this.#onGone(this)
      this.#rejectResends(removedError(this.#subscription))
      return undefined
    }
    this.#subscription = next.subscription
    if (next.kind === 'open' && next.retryAt !== undefined) this.#setTimer(next.retryAt)
    const due = this.#findStartable(next, before)
    if (due === undefined && this.#resends.length === 0) return undefined
    this.#hasWork = true
    if (getWebhookHost(this.#subscription) !== host) return undefined
    const secrets = await getSigningSecrets(store, next.subscription, clock.now())
    await pacer.take()
    return this.#chooseWork(next.subscription, due, secrets)
  }

  #findStartable(next: NextDeliveries, before: ReadonlySet<number>): DueEvent | undefined {
    if (next.kind !== 'open') return undefined
    const { replays } = next.subscription
    // After a replay the worker's webhooks from before end first, so that starts stay in order.
    if ([...this.#started.values()].some(each => each !== replays)) return undefined
    return next.due.find(({ event: { seq } }) => !before.has(seq) && !this.#started.has(seq))
  }

  /** Resends and events of the worker take turns. */
  #chooseWork(
    subscription: Subscription,
    due: DueEvent | undefined,
    secrets: readonly string[],
  ): (() => Promise<void>) | undefined {
    const resend = this.#wasResend && due !== undefined ? undefined : this.#resends.shift()
    this.#wasResend = resend !== undefined
    if (resend !== undefined) return () => this.#resend(subscription, resend, secrets)
    return due && (() => this.#deliver(subscription, due, secrets))
  }

  #start(work: () => Promise<void>, release: () => void): void {
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

  async #deliver(
    subscription: Subscription,
    due: DueEvent,
    secrets: readonly string[],
  ): Promise<void> {
    const { seq } = due.event
    this.#started.set(seq, subscription.replays)
    try {
      const recorded = await deliverEvent(this.#context, subscription, due, secrets)
      this.#subscription = recorded ?? this.#subscription
    } finally {
      this.#started.delete(seq)
    }
  }

  async #resend(
    subscription: Subscription,
    { due, resolve, reject }: ResendRequest,
    secrets: readonly string[],
  ): Promise<void> {
    this.#resending += 1
    const attempt = await sendAttempt(this.#context, subscription, due, secrets, true)
    this.#resending -= 1
    if (!attempt.result.ok && this.#context.abandoning.aborted) reject(stoppingError())
    else resolve({ ...attempt, resend: true })
  }

  #rejectResends(error: RelayError): void {
    for (const { reject } of this.#resends.splice(0)) reject(error)
  }

  async #retry<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { clock, stopping, onError } = this.#context
    return await retryUntilSuccess(work, { clock, signal: stopping, onError })
  }
}

function stoppingError(): RelayError {
  return new RelayError('unavailable', 'The relay is stopping; the webhook was not sent again.')
}

function removedError({ id }: Subscription): RelayError {
  return new RelayError('not_a_subscription', `Subscription ${id} was removed.`)
}
