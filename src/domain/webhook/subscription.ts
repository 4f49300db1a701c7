// What subscriptions do, as pure functions: a subscription and a result in, its new form out.
// - event: the recorded events, in one order with ascending numbers
// - subscription: the record with its cursor, and the retry rules after a webhook
// - tried-events: the cursor, and the events after it that were tried
// - subscription-state: what users do with it: edit, pause, resume, skip, replay
// - subscription-listener: the `hook listen` that a temporary subscription belongs to
// - delivery: the result of a webhook, and its entry in the log
// - signing-secret: which secrets sign

import { limits } from '../limits.js'
import type { EventName } from './event.js'
import type { SigningSecrets } from './signing-secret.js'
import type { SubscriptionListener } from './subscription-listener.js'
import {
  type FindNextEvent,
  findRetry,
  isSettled,
  moveCursor,
  putTriedEvent,
  type RetryState,
  settleEvent,
  type TriedEvents,
} from './tried-events.js'

export interface Subscription extends TriedEvents, SigningSecrets {
  readonly id: string
  readonly account: string
  readonly event: EventName
  readonly url: string
  readonly method: string
  readonly post: boolean
  /** Own header fields of the subscription's webhooks. The values are secrets: nobody sees them. */
  readonly headers?: Readonly<Record<string, string>>
  readonly triggered: number
  readonly createdAt: number
  /**
   * The subscription's webhooks that may be in flight at once; a waiting retry counts. @default 1
   */
  readonly window?: number
  /** Milliseconds before each retry of the subscription's events. @default deliveryRetryDelays */
  readonly schedule?: readonly number[]
  /**
   * How often a user replayed the subscription's events; results of webhooks from before do not
   * count. @default 0
   */
  readonly replays?: number
  /** What happens to the subscription's event after its last webhook retry. @default 'pause' */
  readonly onExhausted?: OnExhausted
  readonly paused?: PauseState
  readonly listener?: SubscriptionListener
  /**
   * Whether the subscription's last pause or resumption is still to be mailed to the account's
   * `alerts`.
   */
  readonly unreported?: boolean
}

/** After the last retry of an event the subscription pauses before it, or skips it. */
export const onExhaustedChoices = ['pause', 'skip'] as const

export type OnExhausted = (typeof onExhaustedChoices)[number]

/** A user paused it, the receiver replied 410, or the retries of an event are exhausted. */
export type PauseReason = 'request' | 'gone' | 'exhausted'

export interface PauseState {
  readonly at: number
  readonly reason: PauseReason
}

export interface DeliveryFailure {
  /** From 0 to 1: varies the retry's delay by up to a tenth. @default 0.5, no variation */
  readonly random?: number
  /**
   * Milliseconds that the receiver asked to wait; the retry rule counts at most {@link
   * maxRetryAfter}.
   */
  readonly retryAfter?: number
  /** Finds the subscription's next event for the retry rule. @default there is no other */
  readonly next?: FindNextEvent
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
export const deliveryTimeLimit = limits.retryTime * second

/** Rule: the longest Retry-After of a webhook receiver that counts, in milliseconds. */
const maxRetryAfter = 1 * hour

const jitter = 0.1

/**
 * Marks an event as delivered, and counts it if this was its first webhook. The cursor passes it
 * when all events before it are delivered or given up.
 *
 * @param next finds the next event of the subscription; without it there is no other
 */
export function applyDeliverySuccess(
  subscription: Subscription,
  seq: number,
  next?: FindNextEvent,
): Subscription {
  const triggered = countTriggered(subscription, seq)
  return settleEvent({ ...subscription, triggered }, seq, next)
}

/**
 * Schedules a webhook retry after the next delay of the subscription's schedule, or when the
 * receiver asked for it. After the last delay or {@link deliveryTimeLimit} the subscription pauses
 * or skips the event, by `onExhausted`.
 */
export function applyDeliveryFailure(
  subscription: Subscription,
  seq: number,
  now: number,
  failure: DeliveryFailure = {},
): Subscription {
  const retry = countFailure(subscription, seq, now)
  const delay = findRetryDelay(subscription, retry.attempts)
  const counted = { ...subscription, triggered: countTriggered(subscription, seq) }
  if (delay === undefined || now + delay - retry.firstAt > deliveryTimeLimit) {
    return applyExhausted(putTriedEvent(counted, retry), seq, now, failure.next)
  }
  const hold = failure.retryAfter === undefined ? {} : { hold: true }
  const retryAt = now + getRetryDelay(delay, failure)
  return putTriedEvent(counted, { ...retry, retryAt, ...hold })
}

/**
 * Schedules a retry at once after a kept-alive connection broke; it does not count in the schedule.
 * The webhook counts as an attempt, since the receiver may have read it.
 */
export function applyStaleConnection(
  subscription: Subscription,
  seq: number,
  now: number,
): Subscription {
  const first: RetryState = { seq, attempts: 0, firstAt: now, retryAt: now }
  const { hold: _, ...retry } = findRetry(subscription, seq) ?? first
  const before = (retry.before ?? 0) + 1
  const triggered = countTriggered(subscription, seq)
  return putTriedEvent({ ...subscription, triggered }, { ...retry, before, retryAt: now })
}

export function applyDeliveryGone(
  subscription: Subscription,
  seq: number,
  now: number,
): Subscription {
  const retry = countFailure(subscription, seq, now)
  const triggered = countTriggered(subscription, seq)
  return pauseSubscription(putTriedEvent({ ...subscription, triggered }, retry), now, 'gone')
}

export function getAttemptNumber(subscription: Subscription, seq: number): number {
  const retry = findRetry(subscription, seq)
  return retry === undefined ? 1 : (retry.before ?? 0) + retry.attempts + 1
}

export function pauseSubscription(
  subscription: Subscription,
  at: number,
  reason: PauseReason,
): Subscription {
  return subscription.paused === undefined
    ? { ...subscription, paused: { at, reason } }
    : subscription
}

/** Delivers the events after a number again; results of webhooks in progress do not count. */
export function replayAfter(subscription: Subscription, cursor: number): Subscription {
  return moveCursor({ ...subscription, replays: (subscription.replays ?? 0) + 1 }, cursor)
}

function countFailure(subscription: Subscription, seq: number, now: number): RetryState {
  const retry = findRetry(subscription, seq)
  if (retry === undefined) return { seq, attempts: 1, firstAt: now, retryAt: now }
  const { hold: _, ...rest } = retry
  return { ...rest, attempts: retry.attempts + 1, retryAt: now }
}

function countTriggered(subscription: Subscription, seq: number): number {
  const wasTried = isSettled(subscription, seq) || findRetry(subscription, seq) !== undefined
  return subscription.triggered + (wasTried ? 0 : 1)
}

function applyExhausted(
  subscription: Subscription,
  seq: number,
  now: number,
  next: FindNextEvent | undefined,
): Subscription {
  if (subscription.onExhausted === 'skip') return settleEvent(subscription, seq, next)
  return pauseSubscription(subscription, now, 'exhausted')
}

function findRetryDelay({ schedule }: Subscription, attempts: number): number | undefined {
  return schedule === undefined
    ? (deliveryRetryDelays[attempts - 1] ?? deliveryRetryDelays.at(-1))
    : schedule[attempts - 1]
}

function getRetryDelay(delay: number, { random = 0.5, retryAfter = 0 }: DeliveryFailure): number {
  const jittered = Math.round(delay * (1 + (2 * random - 1) * jitter))
  return Math.max(jittered, Math.min(retryAfter, maxRetryAfter))
}
