import { type BlocklistFields } from '../contract/blocklist.js';
import { type FailureReport, type ListFilterInput, type MessageCreate, type MessageEdit, type MessageFields } from '../contract/message.js';
import { type SubscriptionCreateInput, type SubscriptionEdit, type SubscriptionFields } from '../contract/subscription.js';
import { type TokenReply } from '../contract/user.js';
import { type TransportOptions } from './transport.js';
/** Options of {@link RelayClient}. */
export type RelayClientOptions = TransportOptions;
/** What every method that may wait takes. */
export interface CallOptions {
    readonly signal?: AbortSignal | undefined;
}
/** The options of a request that may be repeated without a second effect. */
export interface IdempotentOptions extends CallOptions {
    /** @default a new random key */
    readonly idempotencyKey?: string;
}
/** Options of {@link RelayClient.nextMessage}. */
export interface NextOptions extends CallOptions {
    /** Seconds the relay holds the request open until a message is due (RFC 7240). @default 0 */
    readonly wait?: number;
}
/** The interface of a relay, one method a route; every method throws RelayError (SPEC.md section 4). */
export declare class RelayClient {
    #private;
    constructor(options: RelayClientOptions);
    /** Base address of the relay. */
    get url(): string;
    /** GET /oauth: a new token for the client's credentials. */
    issueToken(options?: CallOptions): Promise<TokenReply>;
    /** GET /oauth/revoke: ends a token. */
    revokeToken(token: string, options?: CallOptions): Promise<void>;
    /** POST /message: accepts a message to send. */
    createMessage(draft: MessageCreate, options?: IdempotentOptions): Promise<MessageFields>;
    /** GET /message: a page of messages. */
    listMessages(filter?: ListFilterInput, options?: CallOptions): Promise<MessageFields[]>;
    /** NEXT /message: the message to send next, leased to this client's token; undefined when none is due. */
    nextMessage(options?: NextOptions): Promise<MessageFields | undefined>;
    /** GET /message/<id>. */
    getMessage(id: string, options?: CallOptions): Promise<MessageFields>;
    /** PATCH /message/<id>: changes a new or error message. */
    editMessage(id: string, edit: MessageEdit, options?: CallOptions): Promise<void>;
    /** DELETE /message/<id>. */
    deleteMessage(id: string, options?: CallOptions): Promise<void>;
    /** PUT /message/<id>/success: the message was sent in so many parts. */
    reportSuccess(id: string, report: {
        parts: number;
    }, options?: IdempotentOptions): Promise<MessageFields>;
    /** PUT /message/<id>/failure: the attempt failed, or nobody knows what became of it. */
    reportFailure(id: string, report: FailureReport, options?: IdempotentOptions): Promise<MessageFields>;
    /** PUT /message/<id>/lock: holds a waiting message back (extension). */
    lockMessage(id: string, options?: CallOptions): Promise<MessageFields>;
    /** PUT /message/<id>/unlock: lets a locked message go on (extension). */
    unlockMessage(id: string, options?: CallOptions): Promise<MessageFields>;
    /** PUT /message/<id>/undelete: brings a deleted message back (extension). */
    undeleteMessage(id: string, options?: CallOptions): Promise<MessageFields>;
    /** GET /subscription/events: the events one can subscribe to. */
    listEvents(options?: CallOptions): Promise<string[]>;
    /** GET /subscription. */
    listSubscriptions(options?: CallOptions): Promise<SubscriptionFields[]>;
    /** POST /subscription. */
    createSubscription(draft: SubscriptionCreateInput, options?: CallOptions): Promise<SubscriptionFields>;
    /** GET /subscription/<id>. */
    getSubscription(id: string, options?: CallOptions): Promise<SubscriptionFields>;
    /** PATCH /subscription/<id>: `event` must be that of the subscription. */
    editSubscription(id: string, edit: SubscriptionEdit, options?: CallOptions): Promise<SubscriptionFields>;
    /** DELETE /subscription/<id>. */
    deleteSubscription(id: string, options?: CallOptions): Promise<void>;
    /** GET /user: the e-mail address of the account. */
    getUser(options?: CallOptions): Promise<{
        email: string;
    }>;
    /** GET /user/app: the keys of the phone application; needs a User Login token. */
    getUserApp(options?: CallOptions): Promise<{
        app_key: string;
        secret_key: string;
    }>;
    /** GET /blocklist: the numbers this account must not text (extension). */
    listBlocked(options?: CallOptions): Promise<BlocklistFields[]>;
    /** POST /blocklist: adds a number to the account's Do Not Text list (extension). */
    addBlocked(number: string, options?: CallOptions): Promise<BlocklistFields>;
    /** DELETE /blocklist/<number>: takes a number off the account's Do Not Text list (extension). */
    removeBlocked(number: string, options?: CallOptions): Promise<BlocklistFields>;
}
