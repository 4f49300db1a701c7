// Events and subscriptions.
// - subscription-service: what users do with subscriptions
// - next-delivery: what a subscription must do next; src/server/webhooks does it
// - delivery-log-service: the log of deliveries, and webhooks that are sent again
// - signing-secret-service: the secrets that sign webhooks
// - event-service: pages of events and the event stream; account-listeners: wakes the streams

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

export type DeliveryStore = Pick<Store, 'subscriptions' | 'watch'> &
  SigningSecretStore & { readonly events: Pick<EventStore, 'listAfter'> }

export type { StoreChange }

export type NextDelivery =
  | { readonly kind: 'gone' }
  | { readonly kind: 'none' }
  | { readonly kind: 'paused' }
  /** A failed webhook is due again at `at`, in milliseconds since the epoch. */
  | { readonly kind: 'later'; readonly at: number }
  | { readonly kind: 'due'; readonly subscription: Subscription; readonly event: RelayEvent }

export interface DeliveryOutcome extends DeliveryResult {
  /** When the webhook's result was known, in milliseconds since the epoch. */
  readonly at: number
  /**
   * The subscription's cursor at the time of the webhook. If it has changed since, a user moved it,
   * and the result does not count.
   */
  readonly cursor?: number
  /** A number from 0 to 1 that varies the time of the next webhook retry. @default no variation */
  readonly random?: number
}

/** A webhook that was sent, and its result. Times in milliseconds since the epoch. */
export interface DeliveryAttempt {
  /** The subscription at the time of the webhook. */
  readonly subscription: Subscription
  readonly event: RelayEvent
  readonly result: DeliveryResult
  readonly startedAt: number
  readonly endedAt: number
  /**
   * The subscription after the webhook; undefined for a resend, and if the subscription was
   * removed.
   */
  readonly recorded?: Subscription | undefined
  /** Whether a user requested the webhook (resend); it is then sent out of order. */
  readonly resend: boolean
}

/**
 * Finds what a subscription must do next; `known` may be an old state of it. Both reads start at
 * once, so that a change that was confirmed before this call is always seen.
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
  // The subscription's cursor has moved: forward by a delivery or a skip, back by a replay.
  if (subscription.cursor !== known.cursor) return await findNextDelivery(store, subscription, now)
  const event = events[0]
  if (event === undefined) return { kind: 'none' }
  const { trying } = subscription
  const isEarly = trying?.seq === event.seq && trying.retryAt > now
  return isEarly ? { kind: 'later', at: trying.retryAt } : { kind: 'due', subscription, event }
}

/**
 * Applies the result of a webhook to its subscription by the retry rules; resolves when that is
 * durable, to undefined if the subscription was removed. Throws `unavailable`.
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

/** The receiver does not accept webhooks any more (RFC 9110, section 15.5.11). */
const goneStatus = 410

export function toDelivery(attempt: DeliveryAttempt, id: string): Delivery {
  const { subscription, event, result, startedAt, endedAt, recorded, resend } = attempt
  const { ok, status, error, reply } = result
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
