import type { Account, BlockEntry, Token } from '../../domain/account.js';
import type { RelayEvent } from '../../domain/events.js';
import type { Message } from '../../domain/message.js';
import type { Subscription } from '../../domain/subscription.js';
/** The kept result of a request that may be repeated. */
export interface OnceRecord {
    readonly digest: string;
    readonly until: number;
    /** The message as it was first answered. */
    readonly message: Message;
}
/** The kinds of records and what each holds. */
export interface Records {
    readonly account: Account;
    readonly token: Token;
    readonly message: Message;
    readonly subscription: Subscription;
    /** Keyed by scope, a space and the canonical number. */
    readonly block: BlockEntry;
    /** Keyed by account, a space and the idempotency key. */
    readonly once: OnceRecord;
    /** Keyed by sequence number. */
    readonly event: RelayEvent;
    /** `events` holds the highest sequence number of events that are no longer kept. */
    readonly meta: {
        readonly seq: number;
    };
}
/** Name of a kind of record. */
export type Kind = keyof Records;
/** The whole content of the store: the document that lowdb holds. Records are replaced, never changed. */
export type Collections = {
    readonly [K in Kind]: Map<string, Records[K]>;
};
/** One change of one record; `null` removes it. */
export type Entry = {
    readonly [K in Kind]: readonly [kind: K, key: string, value: Records[K] | null];
}[Kind];
/** A store with nothing in it. */
export declare function emptyCollections(): Collections;
/** Applies an entry to the collections. */
export declare function applyEntry(data: Collections, [kind, key, value]: Entry): void;
/** Whether `kind` names a collection. */
export declare function isKind(data: Collections, kind: unknown): kind is Kind;
