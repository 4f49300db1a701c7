import type { EventName } from './event.js'

/** A subscription as kept, with its place in the order of events (SPEC.md section 2.3). */
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
  /** The last event that was delivered or given up: later events still have to be. */
  readonly cursor: number
  /** The event now being tried again, when its first hit failed. */
  readonly trying?: RetryState
  /** What becomes of an event whose retries are used up. @default pause */
  readonly onExhausted?: OnExhausted
  /** Why nothing is delivered, since when, while that is so. */
  readonly paused?: PauseState
}

/** What becomes of an event whose retries are used up: the lane pauses before it, or passes it. */
export const onExhaustedChoices = ['pause', 'skip'] as const

/** One of {@link exhaustedChoices}. */
export type OnExhausted = (typeof onExhaustedChoices)[number]

/** Why a lane delivers nothing: somebody asked for it, the receiver answered 410, or retries are used up. */
export type PauseReason = 'request' | 'gone' | 'exhausted'

/** A lane that delivers nothing until somebody resumes it. */
export interface PauseState {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly reason: PauseReason
}

/** A delivery that has failed at least once and is tried again. */
export interface RetryState {
  readonly seq: number
  /** Hits made since the retry times began. */
  readonly attempts: number
  /** The first of these, in milliseconds since the epoch. */
  readonly firstAt: number
  /** Milliseconds since the epoch. */
  readonly retryAt: number
  /** Hits made before the retry times began anew. */
  readonly before?: number
}

/** What a hit that failed says about the next try. */
export interface DeliveryFailure {
  /** 0 to 1: moves the retry by up to a tenth of its delay, so that many do not come together. @default 0.5, no move */
  readonly random?: number
  /** Milliseconds before which the receiver asked not to be tried; {@link longestRetryAfter} counts at most. */
  readonly retryAfter?: number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Waits before each retry of a hit, in milliseconds; the last repeats. */
export const deliveryRetryDelays: readonly number[] = [
  1 * second,
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
]

/** How long a hit is tried in all, in milliseconds. */
export const deliveryTimeLimit = 72 * hour

/** The longest time of a receiver's Retry-After that is kept to, in milliseconds. */
export const maxRetryAfter = 1 * hour

/** Part of a delay by which it is moved at most. */
const jitter = 0.1

/** The subscription after a hit that counts: the event is done, and counted if this was its first hit. */
export function applyDeliverySuccess(subscription: Subscription, seq: number): Subscription {
  const { trying, ...rest } = subscription
  return { ...rest, cursor: seq, triggered: rest.triggered + (trying?.seq === seq ? 0 : 1) }
}

/**
 * The subscription after a hit that failed: it is tried again after the next delay of {@link hitRetryDelays}, or
 * when the receiver said. When {@link hitPatience} is used up the lane pauses or passes the event, as `onExhausted` says.
 */
export function applyDeliveryFailure(
  subscription: Subscription,
  seq: number,
  now: number,
  how: DeliveryFailure = {},
): Subscription {
  const trying = countFailure(subscription, seq, now)
  const delay = deliveryRetryDelays[trying.attempts - 1] ?? hour
  const tried = { ...subscription, triggered: countTriggered(subscription, seq), trying }
  if (now + delay - trying.firstAt > deliveryTimeLimit) return applyExhausted(tried, seq, now)
  return { ...tried, trying: { ...trying, retryAt: now + getRetryDelay(delay, how) } }
}

/** The subscription after the receiver answered 410: the lane pauses before the event. */
export function applyDeliveryGone(
  subscription: Subscription,
  seq: number,
  now: number,
): Subscription {
  const trying = countFailure(subscription, seq, now)
  const triggered = countTriggered(subscription, seq)
  return pauseSubscription({ ...subscription, triggered, trying }, now, 'gone')
}

/** Number of the next hit of an event, counted from 1 over all its tries. */
export function getAttemptNumber({ trying }: Subscription, seq: number): number {
  return trying?.seq === seq ? (trying.before ?? 0) + trying.attempts + 1 : 1
}

/** The paused subscription; one that was paused before stays as it is. */
export function pauseSubscription(
  subscription: Subscription,
  at: number,
  reason: PauseReason,
): Subscription {
  return subscription.paused === undefined
    ? { ...subscription, paused: { at, reason } }
    : subscription
}

/** The subscription with nothing being tried and another cursor. */
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
