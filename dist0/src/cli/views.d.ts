import type { MessageFields } from '../contract/message.js';
import type { SubscriptionFields } from '../contract/subscription.js';
/** A message, for people. */
export declare function messageView(message: MessageFields): string;
/** Messages one a line, for people. */
export declare function messageTable(messages: readonly MessageFields[], columns?: number): string;
/** A subscription, for people. */
export declare function subscriptionView(subscription: SubscriptionFields): string;
/** Subscriptions one a line, for people. */
export declare function subscriptionTable(subscriptions: readonly SubscriptionFields[]): string;
