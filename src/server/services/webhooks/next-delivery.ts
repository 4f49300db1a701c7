import type { Delivery, Verdict } from '../../../domain/webhook/delivery.js'
import type { RelayEvent } from '../../../domain/webhook/event.js'
import {
  attemptOf,
  hitFailed,
  hitGone,
  hitSucceeded,
  type Subscription,
} from '../../../domain/webhook/subscription.js'
import type { EventStore, Notice, Store } from '../../store/store.js'
import type { SecretStore } from './signing-secret-service.js'

/** What deliveries need of the store. */
export type DeliveryStore = Pick<Store, 'subscriptions' | 'watch'> &
  SecretStore & { readonly events: Pick<EventStore, 'after'> }

export type { Notice }

/** What a subscription is to do next. */
export type NextDelivery =
  | { readonly kind: 'gone' }
  | { readonly kind: 'none' }
  /** Nothing until somebody resumes it. */
  | { readonly kind: 'paused' }
  /** A failed hit is made again at `at`, milliseconds since the epoch. */
  | { readonly kind: 'later'; readonly at: number }
  | { readonly kind: 'due'; readonly subscription: Subscription; readonly event: RelayEvent }

/** What a hit came to. */
export interface Outcome extends Verdict {
  /** When that was known, in milliseconds since the epoch. */
  readonly at: number
  /** The cursor when the hit was made: where it is elsewhere by now, the lane was moved, and the hit says nothing. */
  readonly cursor?: number
  /** 0 to 1, to move the next try by. @default no move */
  readonly random?: number
}

/** A hit that was made, and what it came to. */
export interface Attempt {
  /** As it was when the hit was made. */
  readonly subscription: Subscription
  readonly event: RelayEvent
  readonly verdict: Verdict
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Milliseconds since the epoch. */
  readonly endedAt: number
  /** The subscription afterwards, where the attempt was its lane's; undefined when it was removed meanwhile. */
  readonly recorded?: Subscription | undefined
  /** Whether somebody asked for it, outside the order. */
  readonly resend: boolean
}

/**
 * Looks up what a subscription is to do next; `known` is an earlier form of it. Both readings start together, so
 * that a change answered before this call is always seen.
 */
export async function nextDelivery(
  store: DeliveryStore,
  known: Subscription,
  now: number,
): Promise<NextDelivery> {
  const [subscription, events] = await Promise.all([
    store.subscriptions.get(known.id),
    store.events.after(known.account, known.event, known.cursor, 1),
  ])
  if (subscription === undefined) return { kind: 'gone' }
  if (subscription.paused !== undefined) return { kind: 'paused' }
  // The cursor was moved since: forward by a verdict or a skip, back by a replay.
  if (subscription.cursor !== known.cursor) return await nextDelivery(store, subscription, now)
  const event = events[0]
  if (event === undefined) return { kind: 'none' }
  const { trying } = subscription
  const waits = trying?.seq === event.seq && trying.retryAt > now
  if (waits) return { kind: 'later', at: trying.retryAt }
  return { kind: 'due', subscription, event }
}

/**
 * Records what a hit came to, as the rules of retries decide; resolves when that is durable, to undefined when the
 * subscription is gone. Throws `unavailable`.
 */
export async function recordDelivery(
  store: DeliveryStore,
  id: string,
  seq: number,
  outcome: Outcome,
): Promise<Subscription | undefined> {
  return await store.subscriptions.change(id, current => {
    const { at, ok, status, cursor = current.cursor } = outcome
    if (seq <= current.cursor || cursor !== current.cursor) return current
    if (ok) return hitSucceeded(current, seq)
    return status === gone ? hitGone(current, seq, at) : hitFailed(current, seq, at, outcome)
  })
}

/** 410 says that the receiver wants no more hits (RFC 9110 section 15.5.11). */
const gone = 410

/** An attempt as it is logged. */
export function loggedAttempt(attempt: Attempt, id: string): Delivery {
  const { subscription, event, verdict, startedAt, endedAt, recorded, resend } = attempt
  const { ok, status, error, reply } = verdict
  return {
    id,
    subscription: subscription.id,
    seq: event.seq,
    event: event.event,
    message: event.message,
    attempt: resend ? 1 : attemptOf(subscription, event.seq),
    at: startedAt,
    ms: Math.max(endedAt - startedAt, 0),
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
    ok,
    dead: !ok && !resend && recorded?.cursor === event.seq,
    resend,
    ...(reply === undefined || reply === '' ? {} : { reply }),
  }
}
