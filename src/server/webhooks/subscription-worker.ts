import {
  createWebhookRequest,
  type WebhookDetails,
} from '../../contract/webhook/webhook-request.js'
import type { RelayEvent } from '../../domain/webhook/event.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import { RelayError } from '../../errors.js'
import { retryUntilSuccess } from '../../util/async/retry-until-success.js'
import { findNextDelivery, recordDelivery } from '../services/webhooks/next-delivery.js'
import { getSigningSecrets } from '../services/webhooks/signing-secret-service.js'
import type { DeliveryAttempt, WebhookContext } from './webhook-context.js'
import type { DeliveryResult } from './webhook-sender.js'

/** Longest timer, in milliseconds: the wall clock may be set back meanwhile. */
const maxTimer = 60 * 60 * 1000

/** A hit that somebody waits for, outside the order. */
interface ResendRequest {
  readonly event: RelayEvent
  readonly previous: number
  readonly resolve: (attempt: DeliveryAttempt) => void
  readonly reject: (error: unknown) => void
}

/**
 * Delivers the events of one subscription in order, one hit at a time, the next only after a verdict on the last is
 * durable (SPEC.md section 6). Asleep, it holds no more than the timer of a retry.
 */
export class SubscriptionWorker {
  readonly #context: WebhookContext
  readonly #onGone: (lane: SubscriptionWorker) => void
  #subscription: Subscription
  #cancelTimer: (() => void) | undefined
  readonly #asked: ResendRequest[] = []
  #awake = false
  #again = false
  #paused = false

  constructor(
    context: WebhookContext,
    subscription: Subscription,
    onGone: (lane: SubscriptionWorker) => void = () => {},
  ) {
    this.#context = context
    this.#subscription = subscription
    this.#onGone = onGone
  }

  /** The subscription as this lane last saw it. */
  get subscription(): Subscription {
    return this.#subscription
  }

  /** Looks for what is due, now or when the hit in flight is over. */
  wake(): void {
    this.#again = true
    if (this.#awake) return
    this.#awake = true
    void this.#context.inFlight.track(() => this.#run())
  }

  /** Looks for what is due after an event was recorded; a paused lane sleeps on. */
  notify(): void {
    if (!this.#paused) this.wake()
  }

  /**
   * Makes one hit for an event in this lane's turn, and moves nothing by it. Throws `not_a_subscription` and
   * `unavailable`.
   */
  async resend(event: RelayEvent, previous: number): Promise<DeliveryAttempt> {
    if (this.#context.stopping.aborted) throw stoppingError()
    return await new Promise<DeliveryAttempt>((resolve, reject) => {
      this.#asked.push({ event, previous, resolve, reject })
      this.wake()
    })
  }

  /** Stops waiting for a retry. */
  sleep(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  async #run(): Promise<void> {
    this.sleep()
    while (this.#again && !this.#context.stopping.aborted) {
      this.#again = false
      const asked = this.#asked.shift()
      if (asked !== undefined) await this.#answer(asked)
      await this.#retry(() => this.#step())
      if (this.#asked.length > 0) this.#again = true
    }
    this.#awake = false
    for (const { reject } of this.#asked.splice(0)) reject(stoppingError())
  }

  async #retry<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { clock, stopping, onError } = this.#context
    return await retryUntilSuccess(work, { clock, signal: stopping, onError })
  }

  /** Makes the next hit if it is due, and sees to it that this lane wakes when one will be. */
  async #step(): Promise<void> {
    const { store, clock, stopping } = this.#context
    const next = await findNextDelivery(store, this.#subscription, clock.now())
    if (stopping.aborted) return
    this.#paused = next.kind === 'paused'
    if (next.kind === 'gone') this.#onGone(this)
    if (next.kind === 'later') {
      const wait = Math.min(next.at - clock.now(), maxTimer)
      this.sleep()
      this.#cancelTimer = clock.after(wait, () => this.wake())
    }
    if (next.kind === 'due') await this.#deliver(next.subscription, next.event)
  }

  async #deliver(subscription: Subscription, event: RelayEvent): Promise<void> {
    const attempt = await this.#attempt(subscription, event)
    const { result: verdict } = attempt
    // Cut off by us, it says nothing about the receiver: it is made again after the restart.
    if (!verdict.ok && this.#context.abandoning.aborted) return
    const { store, random, onAttempt } = this.#context
    const { cursor } = subscription
    const outcome = { ...verdict, at: attempt.endedAt, cursor, random: random() }
    const recorded = await this.#retry(() =>
      recordDelivery(store, subscription.id, event.seq, outcome),
    )
    if (recorded !== undefined) this.#subscription = recorded
    this.#again = true
    onAttempt({ ...attempt, recorded })
  }

  async #answer({ event, previous, resolve, reject }: ResendRequest): Promise<void> {
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
    const startedAt = clock.now()
    const timestamp = Math.floor(startedAt / 1000)
    const stamp = { previous: subscription.cursor, from, secrets, timestamp }
    const verdict = await this.#hit(subscription, event, stamp)
    return { subscription, event, result: verdict, startedAt, endedAt: clock.now(), resend: false }
  }

  async #hit(
    subscription: Subscription,
    event: RelayEvent,
    stamp: WebhookDetails,
  ): Promise<DeliveryResult> {
    const { send, abandoning } = this.#context
    try {
      return await send(createWebhookRequest(event, subscription, stamp), abandoning)
    } catch (error) {
      return { ok: false, error: `The hit could not be made: ${String(error)}` }
    }
  }
}

function stoppingError(): RelayError {
  return new RelayError('unavailable', 'The service is stopping; the event was not resent.')
}

function removedError({ id }: Subscription): RelayError {
  return new RelayError('not_a_subscription', `Subscription ${id} was removed.`)
}
