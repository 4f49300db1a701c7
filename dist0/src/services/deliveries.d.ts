import type { RelayEvent } from '../domain/events.js';
import { type Subscription } from '../domain/subscription.js';
import type { Notice, Store } from '../store/store.js';
/** What deliveries need of the store. */
export type DeliveryStore = Pick<Store, 'subscriptions' | 'events' | 'watch'>;
/** Whether a notice may mean that subscriptions of its account were created or removed. */
export declare function concernsSubscriptions(notice: Notice): boolean;
export type { Notice };
/** What a subscription is to do next. */
export type NextDelivery = {
    readonly kind: 'gone';
} | {
    readonly kind: 'none';
}
/** A failed hit is made again at `at`, milliseconds since the epoch. */
 | {
    readonly kind: 'later';
    readonly at: number;
} | {
    readonly kind: 'due';
    readonly subscription: Subscription;
    readonly event: RelayEvent;
};
/** What a hit came to. */
export interface Outcome {
    readonly ok: boolean;
    /** When that was known, in milliseconds since the epoch. */
    readonly at: number;
}
/**
 * Looks up what a subscription is to do next; `known` is an earlier form of it. Both readings start together, so
 * that a change answered before this call is always seen.
 */
export declare function nextDelivery(store: DeliveryStore, known: Subscription, now: number): Promise<NextDelivery>;
/**
 * Records what a hit came to, as the rules of retries decide; resolves when that is durable, to undefined when the
 * subscription is gone. Throws `unavailable`.
 */
export declare function recordDelivery(store: DeliveryStore, id: string, seq: number, outcome: Outcome): Promise<Subscription | undefined>;
