import type { Account, Token, TokenKind } from '../../domain/account/account.js'
import type { AccountRecord } from '../../domain/account/account-record.js'
import type { Mailbox } from '../../domain/account/mailbox.js'
import type { SecretUrl } from '../../domain/account/secret-url.js'
import type { ClaimDecision } from '../../domain/message/claim.js'
import type { Message, MessageChange, Status } from '../../domain/message/message.js'
import type { QueueDepth } from '../../domain/message/queue-depth.js'
import type { PhoneRecord } from '../../domain/phone/phone-status.js'
import type { EventName, RelayEvent } from '../../domain/webhook/event.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import type { DeliveryLogStore } from './delivery-log-store.js'
import type { DoNotTextStore, ReceivedTextStore } from './received-text-store.js'
import type { StatisticsStore } from './statistics-store.js'

export type { DeliveryLogQuery, DeliveryLogStore } from './delivery-log-store.js'
export type * from './received-text-store.js'
export type { StatisticsStore, TimeSpans } from './statistics-store.js'

/** What a store knows beside a message, and a decision may need. */
export interface DecisionFacts {
  /** Whether the number in question is on a Do Not Text list that counts for the account. */
  readonly blocked: boolean
  /** Whether the account is not there, or not any more. */
  readonly accountMissing?: boolean
}

/** Decides on a message; what it throws reaches the caller, and nothing changes. */
export type DecideMessage = (current: Message | undefined, facts: DecisionFacts) => MessageChange

/** A request that may be repeated: the first one's result is kept and given again. */
export interface IdempotencyKey {
  readonly account: string
  readonly key: string
  /** Tells whether a repeated request is the same; another one is refused with `invalid_request`. */
  readonly digest: string
  /** Milliseconds since the epoch until which the result is kept. */
  readonly until: number
}

/** Options of {@link MessageStore.change}. */
export interface MessageChangeOptions {
  /** The account and number that {@link Facts} are about, where they are not those of the current message. */
  readonly account?: string
  readonly number?: string
  readonly idempotencyKey?: IdempotencyKey
}

/** A page of an account's messages, in order of creation. */
export interface MessageQuery {
  readonly account: string
  readonly statuses: readonly Status[]
  readonly start: number
  readonly count: number
  readonly order: 'asc' | 'desc'
}

/** Which messages are kept no longer; times in milliseconds since the epoch. */
export interface Retention {
  /** Those that were final or deleted before are removed, save those an event may be about that is yet to be delivered. */
  readonly before: number
  /** Those that were so before this are removed, whatever is to be delivered. */
  readonly always: number
}

/** Messages: every change commits together with the events it causes, and resolves when both are durable. */
export interface MessageStore {
  get(id: string): Promise<Message | undefined>
  list(query: MessageQuery): Promise<Message[]>
  /** The one way to change a message; resolves to the message as it is afterwards, undefined when removed. */
  change(
    id: string,
    decide: DecideMessage,
    options?: MessageChangeOptions,
  ): Promise<Message | undefined>
  /**
   * Offers due messages, longest available first, until one is given; whatever else the decisions
   * change on the way is kept. A message this holder has a lease on is offered before all others.
   */
  claim(
    account: string,
    holder: string,
    now: number,
    decide: (message: Message, facts: DecisionFacts) => ClaimDecision,
  ): Promise<Message | undefined>
  /** When the next message of an account becomes available, in milliseconds since the epoch. */
  nextAvailable(account: string): number | undefined
  /** How much of an account waits at `now`, in milliseconds since the epoch; as fast for many messages as for few. */
  getQueueDepth(account: string, now: number): Promise<QueueDepth>
  /** Forgets results of {@link Once} that are kept no longer. */
  deleteExpiredIdempotencyKeys(now: number): Promise<void>
  /**
   * Removes messages that were final or deleted for long, in slices between which others run, and tells nobody;
   * yields the number removed as each slice is durable. Ends with `unavailable`, and may be begun anew.
   */
  purge(retention: Retention): AsyncGenerator<number>
  /** Messages whose lease ended at or before `now` with no report. */
  expiredLeases(now: number): Message[]
}

/** Accounts. An e-mail address and a secret key name at most one account. */
export interface AccountStore {
  get(id: string): Promise<Account | undefined>
  findByEmail(email: string): Promise<Account | undefined>
  findBySecretKey(key: string): Promise<Account | undefined>
  list(): Promise<Account[]>
  /** Throws `invalid_parameter` when the e-mail address is taken. */
  create(account: Account): Promise<void>
  /** Throws `invalid_parameter` when it is to have an e-mail address that another has. */
  change(id: string, decide: (account: Account) => Account): Promise<Account | undefined>
  /** Removes an account with everything it owns. */
  remove(id: string): Promise<void>
}

/** Issued tokens. */
export interface TokenStore {
  get(id: string): Promise<Token | undefined>
  put(token: Token): Promise<void>
  /** Moves the expiry of a token; one that is gone stays gone. */
  extend(id: string, expiresAt: number): Promise<void>
  remove(id: string): Promise<void>
  /** Removes an account's tokens of these kinds. */
  removeByKind(account: string, kinds: readonly TokenKind[]): Promise<void>
  /** Removes tokens that expired before `now`. */
  removeExpired(now: number): Promise<void>
}

/** The kept events a subscription listens to, for a decision on it. */
export interface SubscriptionEvents {
  /** The first after `seq`. */
  next(seq: number): RelayEvent | undefined
  /** The last before `seq`. */
  previous(seq: number): RelayEvent | undefined
}

/** Options of {@link SubscriptionStore.change}. */
export interface SubscriptionChangeOptions {
  /** Whether those who watch are told; a lane need not hear of what it recorded itself. @default false */
  readonly notify?: boolean
}

/** Subscriptions and their place in the order of events. */
export interface SubscriptionStore {
  get(id: string): Promise<Subscription | undefined>
  /** An account's subscriptions in order of creation, or all of them. */
  list(account?: string): Promise<Subscription[]>
  /** Creates a subscription that gets the events recorded from now on. */
  create(subscription: Omit<Subscription, 'cursor'>): Promise<Subscription>
  change(
    id: string,
    decide: (subscription: Subscription, events: SubscriptionEvents) => Subscription,
    options?: SubscriptionChangeOptions,
  ): Promise<Subscription | undefined>
  /** Resolves to whether it was there. */
  remove(id: string): Promise<boolean>
}

/** A page of an account's events, of all names or some. */
export interface EventQuery {
  readonly account: string
  /** Events with a higher number; -N: the last N, at most 1,000. */
  readonly after: number
  readonly count: number
  /** @default every name */
  readonly names?: readonly EventName[] | undefined
}

/** What {@link EventStore.page} finds. */
export interface EventPage {
  /** In order of their numbers. */
  readonly events: readonly RelayEvent[]
  /** Number of the account's newest event, of any name and also when it was removed since; 0 when there was none. */
  readonly lastSeq: number
  /** Number of the newest event of those names that was removed by {@link EventStore.purge}; 0 when none was. */
  readonly lastRemovedSeq: number
}

/** The recorded events, in order. */
export interface EventStore {
  /** At most `count` events of an account, in order over all names; only durable ones. */
  getPage(query: EventQuery): Promise<EventPage>
  /** The first events of an account after `seq`, of that name, at most `count`; only durable ones. */
  listAfter(account: string, event: EventName, seq: number, count: number): Promise<RelayEvent[]>
  /** The last event of an account before `seq`, of that name; undefined when none is kept. */
  findBefore(account: string, event: EventName, seq: number): Promise<RelayEvent | undefined>
  /**
   * Removes events that every subscription to them has passed: those recorded before `before` (milliseconds since
   * the epoch), and the oldest where an account has more than `most` of a name. In slices as
   * {@link MessageStore.purge}; their numbers are not given again.
   */
  purge(before: number, most: number): AsyncGenerator<number>
}

/** Records of an account that are few: secret URLs, e-mail addresses, phones and the like. */
export interface AccountRecordStore<T extends AccountRecord> {
  get(id: string): Promise<T | undefined>
  /** An account's records in the order they were made, or all of them. */
  list(account?: string): Promise<T[]>
  /**
   * Makes, replaces or (`null`) removes a record; the same record again changes nothing. Resolves to it as it is
   * afterwards.
   */
  change(id: string, decide: (current: T | undefined) => T | null): Promise<T | undefined>
}

/** What happened to an account, told after it is durable. */
export interface StoreChange {
  readonly account: string
  /** Identifiers of the messages that changed. */
  readonly messages: readonly string[]
  /** The events that were recorded. */
  readonly events: readonly EventName[]
  /** Identifiers of the subscriptions that were made, removed, or changed by a person. */
  readonly subscriptions: readonly string[]
}

/**
 * Where the service keeps everything. Whatever changes resolves only when it is durable, rejects with
 * `unavailable` when it cannot be, and then has changed nothing.
 */
export interface Store {
  readonly messages: MessageStore
  readonly accounts: AccountStore
  readonly tokens: TokenStore
  readonly subscriptions: SubscriptionStore
  readonly events: EventStore
  readonly doNotText: DoNotTextStore
  readonly secretUrls: AccountRecordStore<SecretUrl>
  readonly mailboxes: AccountRecordStore<Mailbox>
  readonly phones: AccountRecordStore<PhoneRecord>
  readonly receivedTexts: ReceivedTextStore
  readonly statistics: StatisticsStore
  /** Removes by itself what belongs to a subscription that is removed. */
  readonly deliveryLog: DeliveryLogStore
  /** Calls `listener` after each durable change; the returned function ends that. */
  watch(listener: (notice: StoreChange) => void): () => void
  /** Makes everything durable and lets go of it. */
  close(): Promise<void>
}
