import type { EventName } from '../../domain/events.js';
import type { Change, Message } from '../../domain/message.js';
import type { Facts, Notice } from '../store.js';
import type { Collections, Entry, Kind, Records } from './collections.js';
import type { Indexes } from './indexes.js';
/** Changes that become durable together; each is seen by later transactions at once, and can be undone. */
export declare class Transaction {
    #private;
    constructor(data: Collections, indexes: Indexes);
    /** What changed, in order. */
    get entries(): readonly Entry[];
    /** Whom it concerns. */
    get notices(): Notice[];
    /** A record as it is now. */
    get<K extends Kind>(kind: K, key: string): Records[K] | undefined;
    /** Every record of a kind. */
    values<K extends Kind>(kind: K): Iterable<Records[K]>;
    /** Keys and records of a kind. */
    pairs<K extends Kind>(kind: K): Iterable<[string, Records[K]]>;
    /** Replaces a record, or removes it with `null`. */
    put<K extends Kind>(kind: K, key: string, value: Records[K] | null): void;
    /** Applies a decision on a message: its new form and the events it causes. */
    apply(id: string, account: string, change: Change, now: number): Message | undefined;
    /** Tells that something of an account changed; returns the notice to add facts to. */
    notify(account: string): {
        messages: string[];
        events: EventName[];
    };
    /** What a decision may know of a number. */
    facts(account: string, number: string): Facts;
    /** Makes everything as it was before. */
    undo(): void;
}
