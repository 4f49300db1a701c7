import type { AccountRecord } from '../account/account-record.js'
import type { Message, Status } from './message.js'

/** What is counted of messages. */
export const countNames = ['created', 'sent', 'failed', 'blocked'] as const

/** One of {@link countNames}. */
export type CountName = (typeof countNames)[number]

/** How many messages were created, sent, failed and blocked in a span of time. */
export type Counts = Readonly<Record<CountName, number>>

/** The shortest span that is counted, in milliseconds: every time zone's days and hours begin with one. */
export const quarterHour = 15 * 60 * 1000

/** How long counts are kept, in milliseconds: 90 days, and the day in hand of any time zone. */
export const countRetention = 92 * 24 * 60 * 60 * 1000

/** What removed messages of an account counted for in one quarter of an hour, as kept. */
export interface DeletedCounts extends AccountRecord, Counts {
  /** Number of the quarter since the epoch. */
  readonly quarter: number
}

const outcomes: Partial<Record<Status, CountName>> = { S: 'sent', F: 'failed', B: 'blocked' }

/** Number of the quarter of an hour since the epoch that a time, in milliseconds, is in. */
export function getQuarterHour(at: number): number {
  return Math.floor(at / quarterHour)
}

/** What a message counts for since its `statusAt`; nothing before it is final. */
export function getOutcome(message: Message): CountName | undefined {
  return outcomes[message.status]
}

/** Counts of nothing. */
export function createEmptyCounts(): Record<CountName, number> {
  return { created: 0, sent: 0, failed: 0, blocked: 0 }
}
