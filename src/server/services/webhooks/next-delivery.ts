// Events and subscriptions.
// - subscription-service: what users do with subscriptions
// - next-delivery: which webhooks of a subscription are due; src/server/webhooks does it
// - delivery-log-service: the log of deliveries, and webhooks that are sent again
// - pause-alerts: mails about paused subscriptions
// - signing-secret-service: the secrets that sign webhooks
// - event-service: pages of events and the event stream; account-listeners: wakes the streams

import type { Delivery, DeliveryResult } from '../../../domain/webhook/delivery.js'
import type { RelayEvent } from '../../../domain/webhook/event.js'
import {
  applyDeliveryFailure,
  applyDeliveryGone,
  applyDeliverySuccess,
  applyStaleConnection,
  getAttemptNumber,
  type Subscription,
} from '../../../domain/webhook/subscription.js'
import { isSettled, listRetries, settleEvent } from '../../../domain/webhook/tried-events.js'
import type { EventStore } from '../../store/event-store.js'
import type { Store, StoreChange } from '../../store/store.js'
import type { WorkerLease, WorkerLeases } from '../../store/worker-leases.js'
import type { SigningSecretStore } from './signing-secret-service.js'

export type DeliveryStore = Pick<Store, 'subscriptions' | 'workerLeases' | 'watch'> &
  SigningSecretStore & { readonly events: Pick<EventStore, 'listAfter'> }

export type { StoreChange, WorkerLease, WorkerLeases }

export type NextDeliveries =
  | { readonly kind: 'gone' }
  | { readonly kind: 'paused'; readonly subscription: Subscription }
  | {
      readonly kind: 'open'
      readonly subscription: Subscription
      /** Events within the window that the service lets a worker send now, in order. */
      readonly due: readonly DueEvent[]
      /** When the service finds a failed webhook due again, in milliseconds since the epoch. */
      readonly retryAt?: number
    }

export interface DueEvent {
  readonly event: RelayEvent
  /** Number of the subscription's event before the due one, or where the subscription began. */
  readonly previous: number
}

export interface DeliveryOutcome extends DeliveryResult {
  /** When the service learnt the webhook's result, in milliseconds since the epoch. */
  readonly at: number
  /**
   * The subscription's `replays` at the time of the webhook. If a user replayed events since, the
   * result does not count.
   */
  readonly replays?: number | undefined
  /**
   * A number from 0 to 1 by which the service varies the time of the next webhook retry. @default
   * no variation
   */
  readonly random?: number
}

export interface DeliveryAttempt {
  readonly subscription: Subscription
  readonly event: RelayEvent
  readonly result: DeliveryResult
  readonly startedAt: number
  readonly endedAt: number
  /**
   * The subscription as the service recorded it after the webhook; undefined for a resend, and if
   * it was removed.
   */
  readonly recorded?: Subscription | undefined
  /** Whether a user asked the service to resend the webhook; it is then sent out of order. */
  readonly resend: boolean
}

/** The event of a subscription that the service's worker delivers, and its right to do so. */
export interface WorkerPosition {
  readonly id: string
  readonly seq: number
  readonly lease: WorkerLease
}

type DecideSubscription = Parameters<DeliveryStore['subscriptions']['change']>[1]

/**
 * Finds which webhooks of a subscription are due; `known` may be an old state of it. Both reads
 * start at once, so that a change that was confirmed before this call is always seen.
 */
export async function findNextDeliveries(
  store: DeliveryStore,
  known: Subscription,
  now: number,
): Promise<NextDeliveries> {
  const { window = 1 } = known
  const [subscription, events] = await Promise.all([
    store.subscriptions.get(known.id),
    store.events.listAfter(known.account, known.event, known.cursor, window),
  ])
  if (subscription === undefined) return { kind: 'gone' }
  if (subscription.paused !== undefined) return { kind: 'paused', subscription }
  // The subscription has changed, so the service reads again: the cursor moved by a delivery, a
  // skip or a replay, or the window changed.
  if (subscription.cursor !== known.cursor || (subscription.window ?? 1) !== window) {
    return await findNextDeliveries(store, subscription, now)
  }
  return { kind: 'open', subscription, ...selectDue(subscription, events, now) }
}

function selectDue(
  subscription: Subscription,
  events: readonly RelayEvent[],
  now: number,
): { readonly due: readonly DueEvent[]; readonly retryAt?: number } {
  const waiting = listRetries(subscription).filter(({ seq, retryAt }) => {
    return retryAt > now && events.some(event => event.seq === seq)
  })
  const held = waiting.filter(({ hold = false }) => hold).map(({ retryAt }) => retryAt)
  if (held.length > 0) return { due: [], retryAt: Math.max(...held) }
  const due = events
    .map((event, at) => ({ event, previous: events[at - 1]?.seq ?? subscription.cursor }))
    .filter(({ event: { seq } }) => {
      return !isSettled(subscription, seq) && !waiting.some(retry => retry.seq === seq)
    })
  if (waiting.length === 0) return { due }
  return { due, retryAt: Math.min(...waiting.map(({ retryAt }) => retryAt)) }
}

/**
 * Applies the result of a webhook to its subscription by the retry rules; resolves when that is
 * durable, to undefined if the subscription was removed or another node has its lease. Throws
 * `unavailable`.
 */
export async function recordDelivery(
  store: DeliveryStore,
  { id, seq, lease }: WorkerPosition,
  outcome: DeliveryOutcome,
): Promise<Subscription | undefined> {
  const decide: DecideSubscription = (current, { next }) => {
    const { at, ok, status, stale = false, replays } = outcome
    if (isSettled(current, seq) || replays !== current.replays) return current
    if (ok) return applyDeliverySuccess(current, seq, next)
    if (stale) return applyStaleConnection(current, seq, at)
    return status === goneStatus
      ? applyDeliveryGone(current, seq, at)
      : applyDeliveryFailure(current, seq, at, { ...outcome, next })
  }
  return await store.subscriptions.change(id, decide, { lease })
}

/** Moves a subscription past an event for its worker, without a webhook. Throws `unavailable`. */
export async function passEvent(
  store: DeliveryStore,
  { id, seq, lease }: WorkerPosition,
): Promise<Subscription | undefined> {
  const decide: DecideSubscription = (current, { next }) =>
    isSettled(current, seq) ? current : settleEvent(current, seq, next)
  return await store.subscriptions.change(id, decide, { lease })
}

/**
 * Status with which a receiver tells the service that it accepts no more webhooks (RFC 9110,
 * section 15.5.11).
 */
const goneStatus = 410

/** For the service: whether the subscription gave the event up after this webhook. */
export function isGivenUp({ result, event, recorded, resend }: DeliveryAttempt): boolean {
  return !result.ok && !resend && recorded !== undefined && isSettled(recorded, event.seq)
}

export function toDelivery(attempt: DeliveryAttempt, id: string): Delivery {
  const { subscription, event, result, startedAt, endedAt, resend } = attempt
  const { ok, status, error, reply, request } = result
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
    dead: isGivenUp(attempt),
    resend,
    ...(reply === undefined || reply === '' ? {} : { reply }),
    ...(request === undefined ? {} : { request }),
  }
}
