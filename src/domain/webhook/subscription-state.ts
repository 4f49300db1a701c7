import { movedTo, paused, type Subscription, type Trying } from './subscription.js'

/** What a lane does: it delivers, it waits for a retry, or it waits for somebody to resume it. */
export type LaneState = 'active' | 'retrying' | 'paused'

/** What the lane of a subscription does. */
export function laneState(subscription: Subscription): LaneState {
  if (subscription.paused !== undefined) return 'paused'
  return subscription.trying === undefined ? 'active' : 'retrying'
}

/** What of a subscription can be changed. */
export type SubscriptionChanges = Partial<
  Pick<Subscription, 'url' | 'method' | 'post' | 'onExhausted'>
>

/** The subscription with changes; where they concern the hit, one that waits to be made again is due at once. */
export function edited(
  subscription: Subscription,
  changes: SubscriptionChanges,
  now: number,
): Subscription {
  const { url, method, post } = changes
  const changed = { ...subscription, ...changes }
  const sameHit = url === undefined && method === undefined && post === undefined
  return sameHit ? changed : dueAtOnce(changed, now)
}

/** The subscription whose lane delivers nothing until it is resumed. */
export function pausedByRequest(subscription: Subscription, now: number): Subscription {
  return paused(subscription, now, 'request')
}

/** The subscription whose lane goes on: what waits is due at once, and its retry times start anew. */
export function resumed(subscription: Subscription, now: number): Subscription {
  const { paused: _, ...rest } = subscription
  return dueAtOnce(rest, now)
}

/** Whether the lane cannot pass the event by itself: it is tried again, or the lane is paused before it. */
export function waitsFor(subscription: Subscription, seq: number): boolean {
  return subscription.paused !== undefined || subscription.trying?.seq === seq
}

/** The subscription that has passed the event without its having been delivered. */
export function skipped(subscription: Subscription, seq: number): Subscription {
  return movedTo(subscription, seq)
}

/** The subscription that delivers again what comes after `cursor`. */
export function replayedAfter(subscription: Subscription, cursor: number): Subscription {
  return movedTo(subscription, cursor)
}

function dueAtOnce(subscription: Subscription, now: number): Subscription {
  const { trying } = subscription
  return trying === undefined ? subscription : { ...subscription, trying: anew(trying, now) }
}

function anew({ seq, attempts, before = 0 }: Trying, now: number): Trying {
  return { seq, attempts: 0, firstAt: now, retryAt: now, before: before + attempts }
}
