import type { RetryState, Subscription } from './subscription.js'

export type SubscriptionState = 'active' | 'retrying' | 'paused'

export function getSubscriptionState(subscription: Subscription): SubscriptionState {
  if (subscription.paused !== undefined) return 'paused'
  return subscription.trying === undefined ? 'active' : 'retrying'
}

export type SubscriptionChanges = Partial<
  Pick<Subscription, 'url' | 'method' | 'post' | 'onExhausted'>
>

/** Edits a subscription; if the webhook's request changes, a waiting retry is due at once. */
export function editSubscription(
  subscription: Subscription,
  changes: SubscriptionChanges,
  now: number,
): Subscription {
  const { url, method, post } = changes
  const changed = { ...subscription, ...changes }
  const isSameRequest = url === undefined && method === undefined && post === undefined
  return isSameRequest ? changed : makeDueNow(changed, now)
}

/** Resumes a subscription: a waiting retry is due at once, and its retries count from the start. */
export function resumeSubscription(subscription: Subscription, now: number): Subscription {
  const { paused: _, ...rest } = subscription
  return makeDueNow(rest, now)
}

/** Whether a subscription's event waits for a retry, or because the subscription is paused. */
export function isWaitingFor(subscription: Subscription, seq: number): boolean {
  return subscription.paused !== undefined || subscription.trying?.seq === seq
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
