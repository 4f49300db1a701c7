import type { PhoneFields, QueueFields } from '../../contract/phone-schema.js'
import type { DeliveryLogFields } from '../../contract/status-schema.js'
import { parseDateTime } from '../../domain/time/date-time.js'
import type { Column } from '../output/column.js'
import { formatRecordTable, type TextPlace } from '../output/record-text.js'
import { formatDuration, getAge } from '../terminal/durations.js'
import { formatFields } from '../terminal/terminal-text.js'
import { toPhoneCondition } from './phone-condition.js'
import type { RelayStatus } from './relay-status.js'

export function formatStatus(status: RelayStatus, place: TextPlace = {}): string {
  const { relay, queue, phones, warnings, delivery_log: log } = status
  const logged: Record<string, string> =
    log === undefined ? {} : { 'delivery log': formatDeliveryLog(log) }
  const head = formatFields({
    relay: relay.url,
    messages: formatQueue(queue),
    ...formatOldestDue(queue),
    ...logged,
  })
  const phoneTable =
    phones.length === 0
      ? 'No phone has asked for messages yet.'
      : formatRecordTable(
          phones,
          listPhoneColumns(queue.counted_on).filter(each => each.isWide !== true),
          { ...place, now: parseDateTime(queue.counted_on) },
        )
  const warningTexts = warnings.map(({ message, hint }) => `Warning: ${message}\n  ${hint}`)
  return [head, phoneTable, ...warningTexts].join('\n\n')
}

function formatDeliveryLog({
  bytes,
  max_bytes: max,
  oldest_on: oldest,
}: DeliveryLogFields): string {
  const since = oldest === null ? '' : `, since ${oldest} UTC`
  return `${formatSize(bytes)} of ${formatSize(max)}${since}`
}

function formatSize(bytes: number): string {
  const mebibytes = bytes / 1024 ** 2
  return mebibytes < 1024
    ? `${Number(mebibytes.toFixed(1))} MiB`
    : `${Number((mebibytes / 1024).toFixed(1))} GiB`
}

function formatQueue({ waiting, due, leased }: QueueFields): string {
  const later = Math.max(waiting - due - leased, 0)
  return `${due} due, ${leased} leased to phones, ${later} scheduled`
}

function formatOldestDue({
  oldest_due_on: oldest,
  counted_on: now,
}: QueueFields): Record<string, string> {
  return oldest === null
    ? {}
    : { oldest: `due for ${formatDuration(getAge(oldest, now))} (since ${oldest} UTC)` }
}

const day = 86_400_000

const contactColumns: readonly Column<PhoneFields>[] = [
  { name: 'name', title: 'phone', isId: true, read: each => each.name },
  { name: 'driver', read: each => each.driver },
  {
    name: 'first_next_on',
    title: 'first NEXT',
    isTime: true,
    isWide: true,
    read: each => each.first_next_on,
  },
  {
    name: 'last_next_on',
    title: 'last NEXT',
    isTime: true,
    empty: 'never',
    read: each => each.last_next_on,
  },
  {
    name: 'last_seen_on',
    title: 'last seen',
    isTime: true,
    isWide: true,
    read: each => each.last_seen_on,
  },
  {
    name: 'last_success_on',
    title: 'last success',
    isTime: true,
    empty: 'never',
    read: each => each.last_success_on,
  },
  {
    name: 'last_failure_on',
    title: 'last failure',
    isTime: true,
    empty: 'never',
    read: each => each.last_failure_on,
  },
]

/** Columns of a phone; `now` is the time of the relay's answer, if it is known. */
export function listPhoneColumns(now?: string): readonly Column<PhoneFields>[] {
  return [
    ...contactColumns,
    { name: 'state', read: toPhoneCondition, show: each => formatPhoneState(each, now) },
  ]
}

function formatPhoneState(phone: PhoneFields, now: string | undefined): string {
  const condition = toPhoneCondition(phone)
  const { quiet_until: until } = phone
  if (condition !== 'quiet' || typeof until !== 'string') return condition
  const minute = until.slice(0, 16)
  const isSoon = now !== undefined && getAge(now, until) < day
  return `quiet until ${isSoon ? minute.slice(11) : minute} UTC`
}
