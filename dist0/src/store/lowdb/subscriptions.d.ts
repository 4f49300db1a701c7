import type { EventName, RelayEvent } from '../../domain/events.js';
import type { Subscription } from '../../domain/subscription.js';
import type { EventStore, SubscriptionStore } from '../store.js';
import type { Engine } from './engine.js';
/** Subscriptions on the {@link Engine}. */
export declare class LowdbSubscriptions implements SubscriptionStore {
    #private;
    constructor(engine: Engine);
    get(id: string): Promise<Subscription | undefined>;
    list(account?: string): Promise<Subscription[]>;
    create(draft: Omit<Subscription, 'cursor'>): Promise<Subscription>;
    change(id: string, decide: (subscription: Subscription) => Subscription): Promise<Subscription | undefined>;
    remove(id: string): Promise<boolean>;
}
/** Recorded events on the {@link Engine}. */
export declare class LowdbEvents implements EventStore {
    #private;
    constructor(engine: Engine);
    after(account: string, event: EventName, seq: number, count: number): Promise<RelayEvent[]>;
}
