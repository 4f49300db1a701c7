// What subscriptions do, as pure functions: a subscription and a result in, its new form out.
// - event: the recorded events, in one order with ascending numbers
// - subscription: the record with its cursor, and the retry rules after a webhook
// - subscription-state: what users do with it: edit, pause, resume, skip, replay
// - delivery: the result of a webhook, and its entry in the log
// - signing-secret: which secrets sign

import type { EventName } from './event.js'

/** Domain type of a subscription (docs/reference/interface.md 2.3). */
export interface Subscription {
  readonly id: string
  readonly account: string
  readonly event: EventName
  readonly url: string
  readonly method: string
  readonly post: boolean
  readonly triggered: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Number of the subscription's last event that was delivered or given up. */
  readonly cursor: number
  /** The event after the cursor, if its first webhook failed. */
  readonly trying?: RetryState
  /** What happens to an event after its last webhook retry. @default 'pause' */
  readonly onExhausted?: OnExhausted
  readonly paused?: PauseState
}

/** After the last retry of an event the subscription pauses before it, or skips it. */
export const onExhaustedChoices = ['pause', 'skip'] as const

export type OnExhausted = (typeof onExhaustedChoices)[number]

/** A user paused it, the receiver replied 410, or the retries of an event are exhausted. */
export type PauseReason = 'request' | 'gone' | 'exhausted'

export interface PauseState {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly reason: PauseReason
}

/** The webhook retries of an event. Times in milliseconds since the epoch. */
export interface RetryState {
  readonly seq: number
  /** Webhooks of the event since the retries began. */
  readonly attempts: number
  readonly firstAt: number
  readonly retryAt: number
  /** Webhooks of the event before the retries were restarted. */
  readonly before?: number
}

export interface DeliveryFailure {
  /** From 0 to 1: varies the retry's delay by up to a tenth. @default 0.5, no variation */
  readonly random?: number
  /**
   * Milliseconds that the webhook's receiver asked to wait; at most {@link maxRetryAfter} count.
   */
  readonly retryAfter?: number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Delays before each retry of a webhook in milliseconds; the last one repeats. */
const deliveryRetryDelays: readonly number[] = [
  1 * second,
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
]

/** Milliseconds from the first webhook of an event to its last retry. */
export const deliveryTimeLimit = 72 * hour

/** The longest Retry-After of a webhook receiver that counts, in milliseconds. */
const maxRetryAfter = 1 * hour

const jitter = 0.1

/** Moves the subscription past a delivered event, and counts it if this was its first webhook. */
export function applyDeliverySuccess(subscription: Subscription, seq: number): Subscription {
  const { trying, ...rest } = subscription
  return { ...rest, cursor: seq, triggered: rest.triggered + (trying?.seq === seq ? 0 : 1) }
}

/**
 * Schedules a webhook retry after the next of {@link deliveryRetryDelays}, or when the receiver
 * asked for it. After {@link deliveryTimeLimit} the subscription pauses or skips the event, by
 * `onExhausted`.
 */
export function applyDeliveryFailure(
  subscription: Subscription,
  seq: number,
  now: number,
  failure: DeliveryFailure = {},
): Subscription {
  const trying = countFailure(subscription, seq, now)
  const delay = deliveryRetryDelays[trying.attempts - 1] ?? hour
  const failed = { ...subscription, triggered: countTriggered(subscription, seq), trying }
  if (now + delay - trying.firstAt > deliveryTimeLimit) return applyExhausted(failed, seq, now)
  return { ...failed, trying: { ...trying, retryAt: now + getRetryDelay(delay, failure) } }
}

/** Pauses the subscription before an event whose receiver replied 410. */
export function applyDeliveryGone(
  subscription: Subscription,
  seq: number,
  now: number,
): Subscription {
  const trying = countFailure(subscription, seq, now)
  const triggered = countTriggered(subscription, seq)
  return pauseSubscription({ ...subscription, triggered, trying }, now, 'gone')
}

/** The number of the next webhook for an event, from 1. */
export function getAttemptNumber({ trying }: Subscription, seq: number): number {
  return trying?.seq === seq ? (trying.before ?? 0) + trying.attempts + 1 : 1
}

/** Pauses a subscription; one that is paused keeps its time and reason. */
export function pauseSubscription(
  subscription: Subscription,
  at: number,
  reason: PauseReason,
): Subscription {
  return subscription.paused === undefined
    ? { ...subscription, paused: { at, reason } }
    : subscription
}

export function moveCursor(subscription: Subscription, cursor: number): Subscription {
  const { trying: _, ...rest } = subscription
  return { ...rest, cursor }
}

function countFailure({ trying }: Subscription, seq: number, now: number): RetryState {
  if (trying?.seq !== seq) return { seq, attempts: 1, firstAt: now, retryAt: now }
  return { ...trying, attempts: trying.attempts + 1, retryAt: now }
}

function countTriggered({ triggered, trying }: Subscription, seq: number): number {
  return triggered + (trying?.seq === seq ? 0 : 1)
}

function applyExhausted(subscription: Subscription, seq: number, now: number): Subscription {
  if (subscription.onExhausted === 'skip') return moveCursor(subscription, seq)
  return pauseSubscription(subscription, now, 'exhausted')
}

function getRetryDelay(delay: number, { random = 0.5, retryAfter = 0 }: DeliveryFailure): number {
  const jittered = Math.round(delay * (1 + (2 * random - 1) * jitter))
  return Math.max(jittered, Math.min(retryAfter, maxRetryAfter))
}
