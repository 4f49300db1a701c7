import type { Account } from '../domain/account.js';
import type { EventName } from '../domain/events.js';
import type { Subscription } from '../domain/subscription.js';
import type { ServiceContext } from './context.js';
/** A subscription to make. */
export type SubscriptionDraft = Pick<Subscription, 'url' | 'method' | 'post'> & {
    readonly event: EventName;
};
/** Changes to a subscription. */
export type SubscriptionChanges = Partial<Pick<Subscription, 'url' | 'method' | 'post'>>;
/** What users do with subscriptions (SPEC.md section 4.3); another user's subscription does not exist. */
export declare class SubscriptionService {
    #private;
    constructor(context: ServiceContext);
    /** Makes a subscription to the events recorded from now on. */
    create(account: Account, draft: SubscriptionDraft): Promise<Subscription>;
    /** The account's subscriptions in order of creation. */
    list(account: Account): Promise<Subscription[]>;
    /** One subscription. Throws `not_a_subscription`. */
    get(account: Account, id: string): Promise<Subscription>;
    /** Changes a subscription whose event is `event`. Throws `not_a_subscription`. */
    edit(account: Account, id: string, event: string, changes: SubscriptionChanges): Promise<Subscription>;
    /** Removes a subscription. Throws `not_a_subscription`. */
    remove(account: Account, id: string): Promise<void>;
}
