import { createWebhookRequest } from '../../contract/webhook/webhook-request.js'
import type { RelayEvent } from '../../domain/webhook/event.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import { RelayError } from '../../errors.js'
import type { Clock } from '../../util/async/clock.js'
import type { InFlight } from '../../util/async/in-flight.js'
import { retryUntilSuccess } from '../../util/async/retry-until-success.js'
import type { TurnPacer } from '../../util/async/turn-pacer.js'
import type { Metrics } from '../../util/collections/metrics.js'
import {
  type DeliveryAttempt,
  type DeliveryStore,
  findNextDelivery,
  recordDelivery,
} from '../services/webhooks/next-delivery.js'
import { getSigningSecrets } from '../services/webhooks/signing-secret-service.js'
import type { DeliveryResult, SendWebhook } from './webhook-sender.js'
import type { WebhookSlots } from './webhook-slots.js'

export interface WebhookContext {
  readonly store: DeliveryStore
  readonly send: SendWebhook
  readonly clock: Clock
  readonly random: () => number
  readonly from: string
  readonly inFlight: InFlight
  readonly slots: WebhookSlots
  /** Spreads the starts of webhooks over turns of the event loop. */
  readonly pacer: TurnPacer
  readonly metrics: Pick<Metrics, 'increment'>
  /** Aborted when no further webhook may be sent. */
  readonly stopping: AbortSignal
  /** Aborted when webhooks in progress must end. */
  readonly abandoning: AbortSignal
  readonly onAttempt: (attempt: DeliveryAttempt) => void
  readonly onError: (error: unknown) => void
}

/**
 * The wall clock may be set while a timer runs, so a long wait for a retry checks it once an hour.
 */
const maxTimer = 60 * 60 * 1000

const retryingName = 'webhook_backlog{state="retrying"}'

/** A webhook that a user requested; it is sent out of order. */
interface ResendRequest {
  readonly event: RelayEvent
  readonly previous: number
  readonly resolve: (attempt: DeliveryAttempt) => void
  readonly reject: (error: unknown) => void
}

/**
 * Delivers the events of one subscription in order, one webhook at a time; the next one follows
 * when the result of the last one is durable (docs/reference/interface.md 6). When idle, it holds
 * only a retry timer.
 */
export class SubscriptionWorker {
  readonly #context: WebhookContext
  readonly #onGone: (worker: SubscriptionWorker) => void
  #subscription: Subscription
  #cancelTimer: (() => void) | undefined
  readonly #resends: ResendRequest[] = []
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

  /** Looks for due events after a new event, unless the subscription is paused. */
  notify(): void {
    if (!this.#isPaused) this.wake()
  }

  /**
   * Sends one webhook for an event between two others of this subscription; its cursor stays.
   * Throws `not_a_subscription` and `unavailable`.
   */
  async resend(event: RelayEvent, previous: number): Promise<DeliveryAttempt> {
    if (this.#context.stopping.aborted) throw stoppingError()
    return await new Promise<DeliveryAttempt>((resolve, reject) => {
      this.#resends.push({ event, previous, resolve, reject })
      this.wake()
    })
  }

  cancelTimer(): void {
    if (this.#cancelTimer === undefined) return
    this.#cancelTimer()
    this.#cancelTimer = undefined
    this.#context.metrics.increment(retryingName, -1)
  }

  async #run(): Promise<void> {
    this.cancelTimer()
    const { slots, stopping } = this.#context
    while (this.#hasWork && !stopping.aborted) {
      const host = getHost(this.#subscription)
      const release = await slots.acquire(this.#subscription.account, host)
      if (!stopping.aborted) await this.#work(host)
      release()
    }
    this.#isRunning = false
    for (const { reject } of this.#resends.splice(0)) reject(stoppingError())
  }

  async #work(host: string): Promise<void> {
    this.#hasWork = false
    const request = this.#resends.shift()
    if (request !== undefined) await this.#resend(request)
    await this.#retry(() => this.#step(host))
    if (this.#resends.length > 0) this.#hasWork = true
  }

  /** @param host the host that the worker's slot is for */
  async #step(host: string): Promise<void> {
    const { store, clock, stopping } = this.#context
    const next = await findNextDelivery(store, this.#subscription, clock.now())
    if (stopping.aborted) return
    this.#isPaused = next.kind === 'paused'
    if (next.kind === 'gone') this.#onGone(this)
    if (next.kind === 'later') {
      const wait = Math.min(next.at - clock.now(), maxTimer)
      this.cancelTimer()
      this.#cancelTimer = clock.after(wait, () => this.wake())
      this.#context.metrics.increment(retryingName)
    }
    if (next.kind !== 'due') return
    if (getHost(next.subscription) === host) {
      await this.#deliver(next.subscription, next.event)
    } else {
      this.#subscription = next.subscription
      this.#hasWork = true
    }
  }

  async #deliver(subscription: Subscription, event: RelayEvent): Promise<void> {
    const attempt = await this.#attempt(subscription, event)
    const { result } = attempt
    // A webhook that a stop aborted says nothing about the receiver; the next start sends it again.
    if (!result.ok && this.#context.abandoning.aborted) return
    const { store, random, onAttempt } = this.#context
    const { cursor } = subscription
    const outcome = { ...result, at: attempt.endedAt, cursor, random: random() }
    const recorded = await this.#retry(() =>
      recordDelivery(store, subscription.id, event.seq, outcome),
    )
    if (recorded !== undefined) this.#subscription = recorded
    this.#hasWork = true
    onAttempt({ ...attempt, recorded })
  }

  async #resend({ event, previous, resolve, reject }: ResendRequest): Promise<void> {
    const { store, abandoning } = this.#context
    try {
      const subscription = await store.subscriptions.get(this.#subscription.id)
      if (subscription === undefined) throw removedError(this.#subscription)
      const attempt = await this.#attempt({ ...subscription, cursor: previous }, event)
      if (!attempt.result.ok && abandoning.aborted) throw stoppingError()
      resolve({ ...attempt, resend: true })
    } catch (error) {
      reject(error)
    }
  }

  async #attempt(subscription: Subscription, event: RelayEvent): Promise<DeliveryAttempt> {
    const { store, clock, from } = this.#context
    const secrets = await getSigningSecrets(store, subscription.account, clock.now())
    await this.#context.pacer.take()
    const startedAt = clock.now()
    const timestamp = Math.floor(startedAt / 1000)
    const details = { previous: subscription.cursor, from, secrets, timestamp }
    let result: DeliveryResult
    try {
      const request = createWebhookRequest(event, subscription, details)
      result = await this.#context.send(request, this.#context.abandoning)
    } catch (error) {
      result = { ok: false, error: `The webhook could not be sent: ${String(error)}` }
    }
    return { subscription, event, result, startedAt, endedAt: clock.now(), resend: false }
  }

  async #retry<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { clock, stopping, onError } = this.#context
    return await retryUntilSuccess(work, { clock, signal: stopping, onError })
  }
}

function getHost({ url }: Subscription): string {
  return URL.canParse(url) ? new URL(url).host : url
}

function stoppingError(): RelayError {
  return new RelayError('unavailable', 'The relay is stopping; the webhook was not sent again.')
}

function removedError({ id }: Subscription): RelayError {
  return new RelayError('not_a_subscription', `Subscription ${id} was removed.`)
}
