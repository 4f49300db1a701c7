import { type HitStamp, hitFor } from '../contract/hit.js'
import type { RelayEvent } from '../domain/events.js'
import type { Subscription } from '../domain/subscription.js'
import { nextDelivery, recordDelivery } from '../services/deliveries.js'
import { signingSecrets } from '../services/hook-secrets.js'
import { type Attempt, insist, type LaneContext } from './context.js'
import type { Verdict } from './sender.js'

/** Longest timer, in milliseconds: the wall clock may be set back meanwhile. */
const longestWait = 60 * 60 * 1000

/**
 * Delivers the events of one subscription in order, one hit at a time, the next only after a verdict on the last is
 * durable (SPEC.md section 6). Asleep, it holds no more than the timer of a retry.
 */
export class Lane {
  readonly #context: LaneContext
  readonly #onGone: (lane: Lane) => void
  #subscription: Subscription
  #cancelTimer: (() => void) | undefined
  #awake = false
  #again = false

  constructor(
    context: LaneContext,
    subscription: Subscription,
    onGone: (lane: Lane) => void = () => {},
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
    void this.#context.activity.during(() => this.#run())
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
      await insist(this.#context, () => this.#step())
    }
    this.#awake = false
  }

  /** Makes the next hit if it is due, and sees to it that this lane wakes when one will be. */
  async #step(): Promise<void> {
    const { store, now, timers, stopping } = this.#context
    const next = await nextDelivery(store, this.#subscription, now())
    if (stopping.aborted) return
    if (next.kind === 'gone') this.#onGone(this)
    if (next.kind === 'later') {
      const wait = Math.min(next.at - now(), longestWait)
      this.sleep()
      this.#cancelTimer = timers.after(wait, () => this.wake())
    }
    if (next.kind === 'due') await this.#deliver(next.subscription, next.event)
  }

  async #deliver(subscription: Subscription, event: RelayEvent): Promise<void> {
    const attempt = await this.#attempt(subscription, event)
    const { ok } = attempt.verdict
    // Cut off by us, it says nothing about the receiver: it is made again after the restart.
    if (!ok && this.#context.abandoning.aborted) return
    const { store, onAttempt } = this.#context
    const outcome = { ok, at: attempt.endedAt }
    const recorded = await insist(this.#context, () =>
      recordDelivery(store, subscription.id, event.seq, outcome),
    )
    if (recorded !== undefined) this.#subscription = recorded
    this.#again = true
    onAttempt(attempt)
  }

  async #attempt(subscription: Subscription, event: RelayEvent): Promise<Attempt> {
    const { store, now, from } = this.#context
    const secrets = await signingSecrets(store, subscription.account, now())
    const startedAt = now()
    const timestamp = Math.floor(startedAt / 1000)
    const stamp = { previous: subscription.cursor, from, secrets, timestamp }
    const verdict = await this.#hit(subscription, event, stamp)
    return { subscription, event, verdict, startedAt, endedAt: now() }
  }

  async #hit(subscription: Subscription, event: RelayEvent, stamp: HitStamp): Promise<Verdict> {
    const { send, abandoning } = this.#context
    try {
      return await send(hitFor(event, subscription, stamp), abandoning)
    } catch (error) {
      return { ok: false, error: `The hit could not be made: ${String(error)}` }
    }
  }
}
