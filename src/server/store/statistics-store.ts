import type { Counts } from '../../domain/message/message-counts.js'

/** Spans of time that follow each other; times in milliseconds, each a number of whole quarters of an hour. */
export interface TimeSpans {
  /** When the first begins, since the epoch. */
  readonly from: number
  /** How long each is. */
  readonly length: number
  readonly count: number
}

/** How many messages of an account were created, sent, failed and blocked, and when; also of those that were removed since. */
export interface StatisticsStore {
  /** The counts of each span. */
  getCounts(account: string, spans: TimeSpans): Promise<Counts[]>
  /** Counts no longer what was before the quarter of an hour of `before`, in milliseconds since the epoch. */
  deleteBefore(before: number): Promise<void>
}
