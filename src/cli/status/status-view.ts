import type { PhoneFields, QueueFields } from '../../contract/phone-schema.js'
import type { DeliveryLogFields } from '../../contract/status-schema.js'
import { formatDuration, getAge } from '../terminal/durations.js'
import { formatFields, formatTable } from '../terminal/terminal-text.js'
import { toPhoneCondition } from './phone-condition.js'
import type { RelayStatus } from './relay-status.js'

export function formatStatus(status: RelayStatus): string {
  const { relay, queue, phones, warnings, delivery_log: log } = status
  const head = formatFields({
    relay: relay.url,
    messages: formatQueue(queue),
    ...formatOldestDue(queue),
    ...(log === undefined ? {} : { 'delivery log': formatDeliveryLog(log) }),
  })
  const phoneTable =
    phones.length === 0
      ? 'No phone has asked for messages yet.'
      : formatPhoneTable(phones, queue.counted_on)
  const warningTexts = warnings.map(({ message, hint }) => `Warning: ${message}\n  ${hint}`)
  return [head, phoneTable, ...warningTexts].join('\n\n')
}

function formatDeliveryLog({
  bytes,
  max_bytes: max,
  oldest_on: oldest,
}: DeliveryLogFields): string {
  const since = oldest === null ? '' : `, since ${oldest} UTC`
  return `${formatMebibytes(bytes)} of ${formatMebibytes(max)} MiB${since}`
}

function formatMebibytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(1)
}

function formatQueue({ waiting, due, leased }: QueueFields): string {
  const later = Math.max(waiting - due - leased, 0)
  return `${due} due, ${leased} leased to phones, ${later} scheduled`
}

function formatOldestDue({ oldest_due_on: oldest, counted_on: now }: QueueFields) {
  return oldest === null
    ? {}
    : { oldest: `due for ${formatDuration(getAge(oldest, now))} (since ${oldest} UTC)` }
}

function formatPhoneTable(phones: readonly PhoneFields[], now: string): string {
  const ago = (on: string | null) =>
    on === null ? 'never' : `${formatDuration(getAge(on, now))} ago`
  const rows = phones.map(each => [
    each.name,
    each.driver,
    ago(each.last_next_on),
    ago(each.last_success_on),
    ago(each.last_failure_on),
    formatPhoneState(each, now),
  ])
  return formatTable(
    ['PHONE', 'DRIVER', 'LAST NEXT', 'LAST SUCCESS', 'LAST FAILURE', 'STATE'],
    rows,
  )
}

const day = 86_400_000

function formatPhoneState(phone: PhoneFields, now: string): string {
  const condition = toPhoneCondition(phone)
  const { quiet_until: until } = phone
  if (condition !== 'quiet' || typeof until !== 'string') return condition
  const minute = until.slice(0, 16)
  return `quiet until ${getAge(now, until) < day ? minute.slice(11) : minute} UTC`
}
