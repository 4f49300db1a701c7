import type { CountedGroup, Counts } from '../../domain/message/message-counts.js'

/**
 * Consecutive spans of time for the store's message statistics; `from` (since the epoch) and
 * `length` (of each span) are in milliseconds, and multiples of a quarter of an hour.
 */
export interface TimeSpans {
  readonly from: number
  readonly length: number
  readonly count: number
}

/**
 * A period of an account's messages by their creation, from `since` to `until` (exclusive), in
 * milliseconds since the epoch; both are multiples of a quarter of an hour.
 */
export interface GroupQuery {
  readonly account: string
  readonly since: number
  readonly until: number
}

/**
 * Store of the numbers of messages created, sent, failed and blocked, including deleted messages.
 */
export interface StatisticsStore {
  getCounts(account: string, spans: TimeSpans): Promise<Counts[]>
  /** Counts the stored messages that were created in a period, by what they have in common. */
  countGroups(query: GroupQuery): Promise<CountedGroup[]>
  /** Deletes the stored message counts before the quarter of an hour that contains `before`. */
  deleteBefore(before: number): Promise<void>
}
