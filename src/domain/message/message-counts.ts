import type { AccountRecord } from '../account/account-record.js'
import { type DeliveryState, deliveryStates, getDeliveryState } from './delivery-status.js'
import type { Message, Status } from './message.js'

/** Counts of messages; those of sent ones also by their delivery status. */
export const countNames = ['created', 'sent', 'failed', 'blocked', ...deliveryStates] as const

export type CountName = (typeof countNames)[number]

export type Counts = Readonly<Record<CountName, number>>

/**
 * Unit in which messages are counted, in milliseconds: in all time zones, days and hours begin with
 * one.
 */
export const quarterHour = 15 * 60 * 1000

/**
 * Retention of message statistics in milliseconds: 90 days, and the present day of any time zone.
 */
export const countRetention = 92 * 24 * 60 * 60 * 1000

/**
 * Numbers of an account's messages by state. Those of a state are not counted far above
 * {@link maxCounted}.
 */
export type StatusCounts = Readonly<Record<Status, number>>

/** Up to this number, the messages of a state are counted exactly. */
export const maxCounted = 9999

/** The counts of an account's removed messages in one quarter of an hour (domain type). */
export interface DeletedCounts
  extends AccountRecord,
    Omit<Counts, DeliveryState>,
    Partial<Pick<Counts, DeliveryState>> {
  /** Number of the counted quarter of an hour since the epoch. */
  readonly quarter: number
}

const outcomes: Partial<Record<Status, CountName>> = { S: 'sent', F: 'failed', B: 'blocked' }

/** The number of whole quarter hours from the epoch to a time in milliseconds (statistics). */
export function getQuarterHour(at: number): number {
  return Math.floor(at / quarterHour)
}

/** Lists the outcomes that the statistics count for a final message, at its `statusAt`. */
export function listOutcomes({
  status,
  delivery,
}: Pick<Message, 'status' | 'delivery'>): CountName[] {
  return [outcomes[status], getDeliveryState(delivery)].filter(name => name !== undefined)
}

export function createEmptyCounts(): Record<CountName, number> {
  return Object.fromEntries(countNames.map(name => [name, 0])) as Record<CountName, number>
}
