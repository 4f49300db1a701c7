import type { RelayEvent } from '../domain/events.js'
import { hitFailed, hitSucceeded, type Subscription } from '../domain/subscription.js'
import type { EventStore, Notice, Store } from '../store/store.js'
import type { SecretStore } from './hook-secrets.js'

/** What deliveries need of the store. */
export type DeliveryStore = Pick<Store, 'subscriptions' | 'watch'> &
  SecretStore & { readonly events: Pick<EventStore, 'after'> }

/** Whether a notice may mean that subscriptions of its account were created or removed. */
export function concernsSubscriptions(notice: Notice): boolean {
  return notice.messages.length === 0 && notice.events.length === 0
}

export type { Notice }

/** What a subscription is to do next. */
export type NextDelivery =
  | { readonly kind: 'gone' }
  | { readonly kind: 'none' }
  /** A failed hit is made again at `at`, milliseconds since the epoch. */
  | { readonly kind: 'later'; readonly at: number }
  | { readonly kind: 'due'; readonly subscription: Subscription; readonly event: RelayEvent }

/** What a hit came to. */
export interface Outcome {
  readonly ok: boolean
  /** When that was known, in milliseconds since the epoch. */
  readonly at: number
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
  const event = events[0]
  if (event === undefined) return { kind: 'none' }
  if (event.seq <= subscription.cursor) return await nextDelivery(store, subscription, now)
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
    if (seq <= current.cursor) return current
    return outcome.ok ? hitSucceeded(current, seq) : hitFailed(current, seq, outcome.at)
  })
}
