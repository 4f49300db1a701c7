import type { DoNotTextEntry } from '../../domain/account/account.js'
import type { ClaimDecision } from '../../domain/message/claim.js'
import type { Message, MessageChange, Status } from '../../domain/message/message.js'
import type { BatchResult, ClaimedBatch } from '../../domain/message/message-batch.js'
import type { StatusCounts } from '../../domain/message/message-counts.js'
import type { MessageCriteria } from '../../domain/message/message-criteria.js'
import type { QueueDepth } from '../../domain/message/queue-depth.js'

/** Facts besides the message that a decision in the store may need. */
export interface DecisionFacts {
  /** Whether the store has the recipient on a Do Not Text list that applies to the account. */
  readonly blocked: boolean
  readonly accountMissing?: boolean
  /** Whether the store has a result of the `copyKey` of {@link MessageChangeOptions}. */
  readonly isSentAgain?: boolean
  /** The message `original` of {@link MessageChangeOptions}, if the store has it. */
  readonly original?: Message | undefined
}

/** Decides on a phone's claim of a message; `claim` is its number in a batch. */
export type DecideClaim = (message: Message, facts: DecisionFacts, claim?: number) => ClaimDecision

/**
 * Decides on a message in the store. If it throws, nothing changes and the caller gets the error.
 * It has no effect of its own: the store calls it again when the message has changed meanwhile.
 */
export type DecideMessage = (current: Message | undefined, facts: DecisionFacts) => MessageChange

/** Idempotency key of a request, as the store has it; a repeated request gets the first result. */
export interface IdempotencyKey {
  readonly account: string
  readonly key: string
  /**
   * Hash of the request that the store has with the key; another request with the same idempotency
   * key fails with `invalid_request`.
   */
  readonly digest: string
  /** When the store deletes the result of the idempotency key, in milliseconds since the epoch. */
  readonly until: number
}

/** The result of a request, as the store has it with the request's idempotency key. */
export interface StoredResult {
  readonly digest: string
  /** When the store deletes the result, in milliseconds since the epoch. */
  readonly until: number
  /** The message that the store returned first for the idempotency key. */
  readonly message: Message
}

export interface MessageChangeOptions {
  /**
   * Number of the {@link DecisionFacts} that the store finds. @default that of the current message
   */
  readonly number?: string
  readonly idempotencyKey?: IdempotencyKey
  /** Key of the {@link IdempotencyKey} of requests that send the message again. */
  readonly copyKey?: string
  /**
   * Id of a message of the account that the new one sends again: the store commits a decision only
   * if this message is still as the {@link DecisionFacts} have it.
   */
  readonly original?: string
}

/** One of several changes of messages that commit together. */
export interface MessageChangeRequest {
  readonly account: string
  readonly id: string
  readonly decide: DecideMessage
  readonly options?: MessageChangeOptions
}

/** A phone's claim of a message from the store. */
export interface MessageClaim {
  readonly account: string
  /** Identifier of the token that claims from the store. */
  readonly holder: string
  /** Time of the claim in the store, in milliseconds since the epoch. */
  readonly now: number
  /** Length of the leases that a decision gives, in milliseconds; the store may begin one first. */
  readonly lease: number
}

export interface BatchClaim extends MessageClaim {
  readonly count: number
  /**
   * The store gives messages after this number again: that of the last one that the phone received.
   */
  readonly since: number
}

/** A page of an account's messages, in order of creation. */
export interface MessageQuery {
  readonly account: string
  readonly statuses: readonly Status[]
  readonly start: number
  readonly count: number
  readonly order: 'asc' | 'desc'
  /** Id of the message before `start`, if it is known: a store can go on there in less time. */
  readonly after?: string | undefined
  /** Id of the message behind the page, if it is known; for a list only. */
  readonly before?: string | undefined
}

export interface FoundMessages {
  readonly messages: Message[]
  /** Number of messages of the page that the store looked at. */
  readonly seen: number
  /** Present if no message behind these can match in the store. */
  readonly isLast?: true
  /** Id of the last message that the store looked at, if it can use it as `after`. */
  readonly last?: string | undefined
}

/** How many messages a search in the store looks at. */
export interface SearchSizes {
  /** In its first call: words that many messages have are found there. */
  readonly first: number
  /** In each further call; other requests run between them. */
  readonly later: number
  /** For the first page of results: about ten milliseconds of work. */
  readonly page: number
}

export interface MessagePlace {
  readonly account: string
  readonly id: string
}

/** A place in the waiting messages of an account: by when they become available, then by id. */
export interface LaterPlace {
  /** In milliseconds since the epoch. */
  readonly at: number
  /** Identifier of the message; empty: before all of that time. */
  readonly id: string
}

/** Which stored messages expire; times in milliseconds since the epoch. */
export interface Retention {
  /**
   * The store deletes messages that became final or deleted before this, unless an undelivered
   * event needs them.
   */
  readonly before: number
  /** Messages that became final or deleted before this, even if an undelivered event needs them. */
  readonly always: number
}

/** Store of the messages. A change commits together with the events it causes. */
export interface MessageStore {
  /** Gets a message of an account from the store; those of other accounts do not exist for it. */
  get(account: string, id: string): Promise<Message | undefined>
  list(query: MessageQuery): Promise<Message[]>
  readonly searchSizes: SearchSizes
  /**
   * Searches the messages of a page, in its order, until `count` are found. With times in the
   * criteria, `start` counts from about the first message of these times. With a number, `start`
   * and `seen` count only messages to it.
   */
  search(query: MessageQuery, criteria: MessageCriteria, count: number): Promise<FoundMessages>
  /** Lists at most `count` waiting messages that become available after a place, in order. */
  listLater(account: string, after: LaterPlace, count: number): Promise<Message[]>
  /**
   * Finds the waiting messages to the numbers of Do Not Text entries, in batches between which
   * other work runs.
   */
  findWaitingTo(
    entries: readonly Pick<DoNotTextEntry, 'scope' | 'number'>[],
  ): AsyncGenerator<readonly MessagePlace[]>
  /** Counts the stored messages of an account by state, in limited time. */
  countStatuses(account: string): Promise<StatusCounts>
  /**
   * Changes a stored message as decided; resolves to the new message, undefined if it was removed.
   */
  change(
    account: string,
    id: string,
    decide: DecideMessage,
    options?: MessageChangeOptions,
  ): Promise<Message | undefined>
  /**
   * Makes several changes in one commit, in order; the error of one leaves the others as they are.
   */
  changeAll(changes: readonly MessageChangeRequest[]): Promise<BatchResult[]>
  /**
   * Calls `decide` with one message after the other until a decision gives one to `holder`. Those
   * that `holder` leases come first, also before they are due; then the one that has been due
   * longest. Commits every decision, also those that give no message; one that throws ends the
   * claim and leaves its message as it was.
   */
  claim(claim: MessageClaim, decide: DecideClaim): Promise<Message | undefined>
  /**
   * Claims as {@link claim} until the batch is full. Messages that `holder` leases are given again
   * if their number is after `since` or they have none; each other message gets the next number of
   * the token. Commits everything together. Undefined if no message is given.
   */
  claimBatch(batch: BatchClaim, decide: DecideClaim): Promise<ClaimedBatch | undefined>
  /** When the next message of an account becomes available, in milliseconds since the epoch. */
  findNextAvailable(account: string): Promise<number | undefined>
  /**
   * When the first message on which `holder` has a lease at `now` is due, in the same unit; of
   * those that a batch after `since` gives again, if it is given.
   */
  findNextHeld(
    account: string,
    holder: string,
    now: number,
    since?: number,
  ): Promise<number | undefined>
  /** Lists at most `count` messages that `holder` leases at `now`, the last end first. */
  listHeld(account: string, holder: string, now: number, count: number): Promise<Message[]>
  /**
   * Counts the waiting messages of an account at `now`, in milliseconds since the epoch. Those of
   * all accounts take longer with more of them.
   * @param most a store that must visit them need not count further. @default all
   */
  getQueueDepth(account: string | undefined, now: number, most?: number): Promise<QueueDepth>
  /**
   * Finds the unexpired first results of requests with these idempotency keys, whatever they
   * requested, in the same order.
   */
  findResults(account: string, keys: readonly string[]): Promise<(StoredResult | undefined)[]>
  /**
   * Deletes expired messages from the store without an event, in batches between which other
   * changes run; yields the number of each durable batch. Ends with `unavailable`; a new call then
   * continues.
   */
  purge(retention: Retention): AsyncGenerator<number>
  /**
   * Lists at most `count` waiting messages of some accounts whose lease ended at or before `now`.
   */
  listExpiredLeases(accounts: readonly string[], now: number, count: number): Promise<Message[]>
}
