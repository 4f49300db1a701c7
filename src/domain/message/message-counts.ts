import type { AccountRecord } from '../account/account-record.js'
import { callingCodeLength, getCallingCode } from '../sms/calling-code.js'
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

/** By what statistics count the messages of a period, besides hours and days. */
const groupings = ['phone', 'source', 'prefix', 'state'] as const

export type Grouping = (typeof groupings)[number]

/** What each row of a report of statistics counts. */
export const reportKinds = ['day', 'hour', ...groupings] as const

export type ReportKind = (typeof reportKinds)[number]

/** The fields of a message that decide in which group it counts. */
export type GroupedFields = Pick<Message, 'status' | 'source' | 'number'> &
  Pick<Message, 'phone' | 'delivery'>

/** Messages that a store counted together; `key` is that of {@link getGroupKey}. */
export interface CountedGroup {
  readonly key: string
  readonly status: Status
  /** The delivery status of these messages as they are stored, without time and reason. */
  readonly delivery?: string | undefined
  readonly count: number
}

/** What messages have in common that a store counts together. */
export function getGroupKey(message: GroupedFields, by: Grouping): string {
  if (by === 'phone') return message.phone ?? ''
  if (by === 'source') return message.source
  if (by === 'state') return message.status
  return message.number.startsWith('+') ? message.number.slice(0, callingCodeLength) : ''
}

/** The counts of messages of one group, by the present state of each; `name` is `` without one. */
export interface GroupCounts extends Counts {
  readonly name: string
}

/** Adds up what a store counted, the largest groups first. */
export function sumGroups(counted: readonly CountedGroup[], by: Grouping): GroupCounts[] {
  const groups = new Map<string, ReturnType<typeof createEmptyCounts>>()
  for (const { key, status, delivery, count } of counted) {
    const name = by === 'prefix' ? (getCallingCode(key) ?? '') : key
    const counts = groups.get(name) ?? createEmptyCounts()
    groups.set(name, counts)
    counts.created += count
    const outcomes = listOutcomes(delivery === undefined ? { status } : { status, delivery })
    for (const outcome of outcomes) counts[outcome] += count
  }
  return [...groups]
    .map(([name, counts]) => ({ name, ...counts }))
    .sort((a, b) => b.created - a.created || (a.name < b.name ? -1 : 1))
}
