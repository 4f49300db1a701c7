import type { BlocklistFields } from '../contract/blocklist.js';
import type { Links } from '../contract/link.js';
import type { MessageReply } from '../contract/message.js';
import type { SubscriptionReply } from '../contract/subscription.js';
import type { BlockEntry } from '../domain/account.js';
import { type Message } from '../domain/message.js';
import type { Subscription } from '../domain/subscription.js';
/** A message with its links (SPEC.md sections 2.1 and 2.2). */
export declare function messageEnvelope(message: Message, base: string): MessageReply;
/** The operations on a message: those that change it only while it is new or in error (README: links). */
export declare function messageLinks(message: Message, base: string): Links;
/** A subscription with its links (SPEC.md sections 2.1 and 2.3). */
export declare function subscriptionEnvelope(subscription: Subscription, base: string): SubscriptionReply;
/** The operations on the user (README: links). */
export declare function userLinks(base: string): Links;
/** An entry of a Do Not Text list. */
export declare function blockFields(entry: BlockEntry): BlocklistFields;
