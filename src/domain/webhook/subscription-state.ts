import type { Account } from '../account/account.js'
import type { EventName } from './event.js'
import type { Subscription } from './subscription.js'
import { findRetry, listRetries, type RetryState, replaceRetries } from './tried-events.js'
import { changeHeaders, type HeaderChanges } from './webhook-headers.js'

export type SubscriptionState = 'active' | 'retrying' | 'paused'

export function getSubscriptionState(subscription: Subscription): SubscriptionState {
  if (subscription.paused !== undefined) return 'paused'
  return subscription.trying === undefined ? 'active' : 'retrying'
}

export type SubscriptionChanges = Partial<
  Pick<Subscription, 'url' | 'method' | 'post' | 'onExhausted' | 'window'>
> & {
  /**
   * The subscription's new delays before each retry in milliseconds; null for the default schedule.
   */
  readonly schedule?: readonly number[] | null
  readonly headers?: HeaderChanges | null
  readonly listenerName?: string
}

/** Edits a subscription; if the webhook's request changes, a waiting retry is due at once. */
export function editSubscription(
  subscription: Subscription,
  { schedule, headers, listenerName, ...changes }: SubscriptionChanges,
  now: number,
): Subscription {
  const { url, method, post } = changes
  const { schedule: before, headers: given, ...rest } = subscription
  const delays = schedule === undefined ? before : schedule
  const own = headers === undefined ? given : changeHeaders(given, headers)
  const listener =
    listenerName === undefined ? {} : { listener: { name: listenerName, seenAt: now } }
  const changed = {
    ...{ ...rest, ...changes, ...listener },
    ...(delays ? { schedule: delays } : {}),
    ...(own === undefined ? {} : { headers: own }),
  }
  const isSameRequest = [url, method, post, headers].every(each => each === undefined)
  return isSameRequest ? changed : makeDueNow(changed, now)
}

/** Resumes a subscription: a waiting retry is due at once, and its retries count from the start. */
export function resumeSubscription(subscription: Subscription, now: number): Subscription {
  const { paused: _, ...rest } = subscription
  return makeDueNow(rest, now)
}

export function getPauseEvent(before: Subscription, after: Subscription): EventName | undefined {
  const [wasPaused, isPaused] = [before.paused !== undefined, after.paused !== undefined]
  if (wasPaused === isPaused) return undefined
  return isPaused ? 'subscription.paused' : 'subscription.resumed'
}

/** A subscription that was paused or resumed, which the account hears of if it has alerts. */
export function noteUnreported(
  subscription: Subscription,
  account: Pick<Account, 'alerts'> | undefined,
): Subscription {
  return account?.alerts === undefined ? subscription : { ...subscription, unreported: true }
}

/** Number of the event that a skip gives up: the first that failed, or that a pause holds back. */
export function findWaitingEvent(subscription: Subscription, first?: number): number | undefined {
  return subscription.paused === undefined ? subscription.trying?.seq : first
}

/** Whether an event waits for a retry, or is the `first` event that a pause holds back. */
export function isWaitingFor(subscription: Subscription, seq: number, first = seq): boolean {
  if (findRetry(subscription, seq) !== undefined) return true
  return subscription.paused !== undefined && seq === first
}

export function getNextRetryTime(subscription: Subscription): number | undefined {
  const times = listRetries(subscription).map(({ retryAt }) => retryAt)
  return times.length === 0 ? undefined : Math.min(...times)
}

function makeDueNow(subscription: Subscription, now: number): Subscription {
  return replaceRetries(subscription, retry => restartRetries(retry, now))
}

function restartRetries({ seq, attempts, before = 0 }: RetryState, now: number): RetryState {
  return { seq, attempts: 0, firstAt: now, retryAt: now, before: before + attempts }
}
