import type { Delivery, DeliveryResult } from '../../../domain/webhook/delivery.js'
import type { RelayEvent } from '../../../domain/webhook/event.js'
import {
  applyDeliveryFailure,
  applyDeliveryGone,
  applyDeliverySuccess,
  getAttemptNumber,
  type Subscription,
} from '../../../domain/webhook/subscription.js'
import type { EventStore } from '../../store/event-store.js'
import type { Store, StoreChange } from '../../store/store.js'
import type { SigningSecretStore } from './signing-secret-service.js'

/** What deliveries need of the store. */
export type DeliveryStore = Pick<Store, 'subscriptions' | 'watch'> &
  SigningSecretStore & { readonly events: Pick<EventStore, 'listAfter'> }

export type { StoreChange }

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
export interface DeliveryOutcome extends DeliveryResult {
  /** When that was known, in milliseconds since the epoch. */
  readonly at: number
  /** The cursor when the hit was made: where it is elsewhere by now, the lane was moved, and the hit says nothing. */
  readonly cursor?: number
  /** 0 to 1, to move the next try by. @default no move */
  readonly random?: number
}

/** A hit that was made, and what it came to. */
export interface DeliveryAttempt {
  /** As it was when the hit was made. */
  readonly subscription: Subscription
  readonly event: RelayEvent
  readonly result: DeliveryResult
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
export async function findNextDelivery(
  store: DeliveryStore,
  known: Subscription,
  now: number,
): Promise<NextDelivery> {
  const [subscription, events] = await Promise.all([
    store.subscriptions.get(known.id),
    store.events.listAfter(known.account, known.event, known.cursor, 1),
  ])
  if (subscription === undefined) return { kind: 'gone' }
  if (subscription.paused !== undefined) return { kind: 'paused' }
  // The cursor was moved since: forward by a verdict or a skip, back by a replay.
  if (subscription.cursor !== known.cursor) return await findNextDelivery(store, subscription, now)
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
  outcome: DeliveryOutcome,
): Promise<Subscription | undefined> {
  return await store.subscriptions.change(id, current => {
    const { at, ok, status, cursor = current.cursor } = outcome
    if (seq <= current.cursor || cursor !== current.cursor) return current
    if (ok) return applyDeliverySuccess(current, seq)
    return status === goneStatus
      ? applyDeliveryGone(current, seq, at)
      : applyDeliveryFailure(current, seq, at, outcome)
  })
}

/** 410 says that the receiver wants no more hits (RFC 9110 section 15.5.11). */
const goneStatus = 410

/** An attempt as it is logged. */
export function toDelivery(attempt: DeliveryAttempt, id: string): Delivery {
  const { subscription, event, result: verdict, startedAt, endedAt, recorded, resend } = attempt
  const { ok, status, error, reply } = verdict
  return {
    id,
    subscription: subscription.id,
    seq: event.seq,
    event: event.event,
    message: event.message,
    attempt: resend ? 1 : getAttemptNumber(subscription, event.seq),
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
