import type { Counts } from '../../domain/message/message-counts.js'

/** Consecutive spans of time; `from` and `length` are multiples of a quarter of an hour. */
export interface TimeSpans {
  /** Start of the first span, in milliseconds since the epoch. */
  readonly from: number
  /** Length of each span, in milliseconds. */
  readonly length: number
  readonly count: number
}

/** Numbers of messages created, sent, failed and blocked, including deleted messages. */
export interface StatisticsStore {
  /** Counts an account's messages in each span. */
  getCounts(account: string, spans: TimeSpans): Promise<Counts[]>
  /** Deletes the counts before the quarter of an hour that contains `before`. */
  deleteBefore(before: number): Promise<void>
}
