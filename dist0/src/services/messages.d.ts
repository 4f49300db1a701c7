import type { Account } from '../domain/account.js';
import { type MessageFilter } from '../domain/filter.js';
import type { Message, Source } from '../domain/message.js';
import { RelayError } from '../errors.js';
import type { ServiceContext } from './context.js';
/** A message to accept. */
export interface MessageDraft {
    readonly destination: string;
    readonly text: string;
    /** Milliseconds since the epoch. @default now */
    readonly sendAt?: number | undefined;
}
/** A page of the message list. */
export interface MessagePage {
    readonly filter: MessageFilter;
    readonly start: number;
    readonly count: number;
    readonly order: 'asc' | 'desc';
}
/** What users do with messages: accept, list, read, edit, remove, lock (SPEC.md section 4.2). */
export declare class MessageService {
    #private;
    constructor(context: ServiceContext);
    /**
     * Accepts a message; with an idempotency key the same request again gives the first result for 24 hours.
     * Throws `invalid_parameter` for a number that cannot be dialled, `invalid_request` for a key used otherwise.
     */
    accept(account: Account, draft: MessageDraft, source: Source, key?: string): Promise<Message>;
    /** A page of the account's messages. */
    list(account: Account, { filter, start, count, order }: MessagePage): Promise<Message[]>;
    /** One message. Throws `not_a_message`. */
    get(account: Account, id: string): Promise<Message>;
    /** Changes a new or error message. Throws `not_a_message`, `invalid_state`, `invalid_parameter`. */
    edit(account: Account, id: string, draft: Partial<MessageDraft>): Promise<Message | undefined>;
    /** Deletes a message (SPEC.md section 3). Throws `not_a_message`. */
    remove(account: Account, id: string): Promise<void>;
    /** Holds a waiting message back. Throws `not_a_message`, `invalid_state`. */
    lock(account: Account, id: string): Promise<Message | undefined>;
    /** Lets a locked message go on. Throws `not_a_message`, `invalid_state`. */
    unlock(account: Account, id: string): Promise<Message | undefined>;
    /** Brings a deleted message back. Throws `not_a_message`, `invalid_state`. */
    undelete(account: Account, id: string): Promise<Message | undefined>;
}
/** The message, when it exists, is not deleted and belongs to the account. Throws `not_a_message`. */
export declare function assertOwned(message: Message | undefined, account: Account, id: string): Message;
/** The error for a message that does not exist as far as the caller may know. */
export declare function notAMessage(id: string): RelayError;
