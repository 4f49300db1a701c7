import type { PhoneFields, QueueFields } from '../../contract/phone-schema.js'
import { formatDuration, getAge } from '../terminal/durations.js'
import { formatFields, formatTable } from '../terminal/terminal-text.js'
import { toPhoneCondition } from './phone-condition.js'
import type { RelayStatus } from './relay-status.js'

export function formatStatus({ relay, queue, phones, warnings }: RelayStatus): string {
  const head = formatFields({
    relay: relay.url,
    messages: formatQueue(queue),
    ...formatOldestDue(queue),
  })
  const phoneTable =
    phones.length === 0
      ? 'No phone has asked for messages yet.'
      : formatPhoneTable(phones, queue.counted_on)
  const warningTexts = warnings.map(({ message, hint }) => `Warning: ${message}\n  ${hint}`)
  return [head, phoneTable, ...warningTexts].join('\n\n')
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
