import { type Message } from '../../domain/message.js';
import { RankedList } from './ranked-list.js';
/** What is found fast about messages: pages of an account's list, what is available next, and who holds what. */
export declare class MessageIndex {
    #private;
    /** Follows a message from one form to the next. */
    changed(before: Message | undefined, after: Message | undefined): void;
    /** The id a holder has a lease on, the one that ends last. */
    heldBy(holder: string): string | undefined;
    /** The ids under a lease. */
    leased(): Iterable<string>;
    /** What becomes available first: its id and when, in milliseconds since the epoch. */
    first(account: string): {
        readonly id: string;
        readonly at: number;
    } | undefined;
    /** The waiting messages of an account, in no order; of all accounts when none is given. */
    waiting(account?: string): Iterable<string>;
    /** An account's list. */
    ranked(account: string): RankedList;
}
