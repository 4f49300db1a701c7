import type { Counts } from '../../domain/message/message-counts.js'

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
 * Store of the numbers of messages created, sent, failed and blocked, including deleted messages.
 */
export interface StatisticsStore {
  getCounts(account: string, spans: TimeSpans): Promise<Counts[]>
  /** Deletes the stored message counts before the quarter of an hour that contains `before`. */
  deleteBefore(before: number): Promise<void>
}
