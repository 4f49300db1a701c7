import type { EventName, RelayEvent } from '../../domain/webhook/event.js'

export interface EventQuery {
  readonly account: string
  /** Only the store's events with a higher number; -N: the last N, at most 1,000. */
  readonly after: number
  readonly count: number
  /** Names of the events to read from the store. @default all names */
  readonly names?: readonly EventName[] | undefined
}

export interface EventPage {
  /** The store's events in order of their numbers. */
  readonly events: readonly RelayEvent[]
  /**
   * Number of the account's newest event of any name, in the store or deleted; 0 if there was none.
   */
  readonly lastSeq: number
  /**
   * Number of the newest event of those names that is purged from the store; 0 if there was none.
   */
  readonly lastRemovedSeq: number
}

/** Store of the recorded events, in order; reads return only durable ones. */
export interface EventStore {
  /** Reads at most `count` stored events of an account, in one order over all names. */
  getPage(query: EventQuery): Promise<EventPage>
  /** Lists the first `count` stored events of an account and name after `seq`. */
  listAfter(account: string, event: EventName, seq: number, count: number): Promise<RelayEvent[]>
  /** Finds the last stored event of an account and name before `seq`. */
  findBefore(account: string, event: EventName, seq: number): Promise<RelayEvent | undefined>
  /**
   * Deletes stored events that every subscription to them has passed: those recorded before
   * `before`, in milliseconds since the epoch, and the oldest above `maxPerName` of an account and
   * name. Works in batches like `MessageStore.purge`. The numbers are not used again.
   */
  purge(before: number, maxPerName: number): AsyncGenerator<number>
}
