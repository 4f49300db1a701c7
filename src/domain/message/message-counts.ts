import type { AccountRecord } from '../account/account-record.js'
import { getCallingCode } from '../sms/calling-code.js'
import { type DeliveryState, deliveryStates, getDeliveryState } from './delivery-status.js'
import type { Message, Source, Status } from './message.js'

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

export type StatusCounts = Readonly<Record<Status, number>>

/** Up to this number, pages show how many messages wait. */
export const maxCounted = 9999

export interface DeletedCounts
  extends AccountRecord,
    Omit<Counts, DeliveryState>,
    Partial<Pick<Counts, DeliveryState>> {
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
}: Pick<GroupedFields, 'status' | 'delivery'>): CountName[] {
  return [outcomes[status], getDeliveryState(delivery)].filter(name => name !== undefined)
}

export function createEmptyCounts(): Record<CountName, number> {
  return Object.fromEntries(countNames.map(name => [name, 0])) as Record<CountName, number>
}

const groupings = ['phone', 'source', 'prefix', 'state'] as const

export type Grouping = (typeof groupings)[number]

export const reportKinds = ['day', 'hour', ...groupings] as const

export type ReportKind = (typeof reportKinds)[number]

export interface GroupedFields extends Pick<Message, 'status' | 'source' | 'number' | 'createdAt'> {
  readonly phone?: string | undefined
  readonly delivery?: string | undefined
}

export interface MessageGroup {
  readonly status: Status
  readonly delivery?: DeliveryState | undefined
  readonly source: Source
  readonly prefix: string
  readonly phone: string
}

export interface CountedGroup extends MessageGroup {
  readonly count: number
}

export function isInSameGroup(a: GroupedFields, b: GroupedFields): boolean {
  return (
    a.status === b.status &&
    a.phone === b.phone &&
    a.delivery === b.delivery &&
    a.number === b.number
  )
}

/** The group of a message as a text without control characters, such as `S delivered api +49 x`. */
export function formatGroup({ status, delivery, source, number, phone }: GroupedFields): string {
  const state = getDeliveryState(delivery) ?? ''
  const name = phone === undefined ? '' : JSON.stringify(phone).slice(1, -1)
  return `${status} ${state} ${source} ${getCallingCode(number) ?? ''} ${name}`
}

export function parseGroup(text: string): MessageGroup {
  const [status, state, source, prefix = '', ...words] = text.split(' ')
  return {
    status: status as Status,
    delivery: deliveryStates.find(each => each === state),
    source: source as Source,
    prefix,
    phone: JSON.parse(`"${words.join(' ')}"`),
  }
}

/** The counts of messages of one group, by the current state of each; `name` is `` without one. */
export interface GroupCounts extends Counts {
  readonly name: string
}

export function sumGroups(counted: readonly CountedGroup[], by: Grouping): GroupCounts[] {
  const groups = new Map<string, ReturnType<typeof createEmptyCounts>>()
  for (const { count, ...group } of counted) {
    const name = by === 'state' ? group.status : group[by]
    const counts = groups.get(name) ?? createEmptyCounts()
    groups.set(name, counts)
    counts.created += count
    for (const outcome of [outcomes[group.status], group.delivery])
      if (outcome !== undefined) counts[outcome] += count
  }
  return [...groups]
    .map(([name, counts]) => ({ name, ...counts }))
    .sort((a, b) => b.created - a.created || (a.name < b.name ? -1 : 1))
}
