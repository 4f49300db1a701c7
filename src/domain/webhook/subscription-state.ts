import {
  moveCursor,
  pauseSubscription,
  type RetryState,
  type Subscription,
} from './subscription.js'

/** What a lane does: it delivers, it waits for a retry, or it waits for somebody to resume it. */
export type SubscriptionState = 'active' | 'retrying' | 'paused'

/** What the lane of a subscription does. */
export function getSubscriptionState(subscription: Subscription): SubscriptionState {
  if (subscription.paused !== undefined) return 'paused'
  return subscription.trying === undefined ? 'active' : 'retrying'
}

/** What of a subscription can be changed. */
export type SubscriptionChanges = Partial<
  Pick<Subscription, 'url' | 'method' | 'post' | 'onExhausted'>
>

/** The subscription with changes; where they concern the hit, one that waits to be made again is due at once. */
export function editSubscription(
  subscription: Subscription,
  changes: SubscriptionChanges,
  now: number,
): Subscription {
  const { url, method, post } = changes
  const changed = { ...subscription, ...changes }
  const sameHit = url === undefined && method === undefined && post === undefined
  return sameHit ? changed : makeDueNow(changed, now)
}

/** The subscription whose lane delivers nothing until it is resumed. */
export function pauseOnRequest(subscription: Subscription, now: number): Subscription {
  return pauseSubscription(subscription, now, 'request')
}

/** The subscription whose lane goes on: what waits is due at once, and its retry times start anew. */
export function resumeSubscription(subscription: Subscription, now: number): Subscription {
  const { paused: _, ...rest } = subscription
  return makeDueNow(rest, now)
}

/** Whether the lane cannot pass the event by itself: it is tried again, or the lane is paused before it. */
export function isWaitingFor(subscription: Subscription, seq: number): boolean {
  return subscription.paused !== undefined || subscription.trying?.seq === seq
}

/** The subscription that has passed the event without its having been delivered. */
export function skipEvent(subscription: Subscription, seq: number): Subscription {
  return moveCursor(subscription, seq)
}

/** The subscription that delivers again what comes after `cursor`. */
export function replayAfter(subscription: Subscription, cursor: number): Subscription {
  return moveCursor(subscription, cursor)
}

function makeDueNow(subscription: Subscription, now: number): Subscription {
  const { trying } = subscription
  return trying === undefined
    ? subscription
    : { ...subscription, trying: restartRetries(trying, now) }
}

function restartRetries({ seq, attempts, before = 0 }: RetryState, now: number): RetryState {
  return { seq, attempts: 0, firstAt: now, retryAt: now, before: before + attempts }
}
