import type { PhoneFields, QueueFields } from '../../contract/phone-schema.js'
import { ageOf, lengthView } from '../terminal/durations.js'
import { fields, table } from '../terminal/terminal-text.js'
import { phoneCondition } from './phone-condition.js'
import type { RelayStatus } from './relay-status.js'

/** How phones and messages are doing, for people. */
export function statusView({ relay, queue, phones, warnings }: RelayStatus): string {
  const head = fields({ relay: relay.url, messages: queueView(queue), ...oldestView(queue) })
  const list =
    phones.length === 0
      ? 'No phone has asked for messages yet.'
      : phoneTable(phones, queue.counted_on)
  const wrong = warnings.map(({ message, hint }) => `Warning: ${message}\n  ${hint}`)
  return [head, list, ...wrong].join('\n\n')
}

function queueView({ waiting, due, leased }: QueueFields): string {
  const later = Math.max(waiting - due - leased, 0)
  return `${due} due, ${leased} in the hands of phones, ${later} for later`
}

function oldestView({ oldest_due_on: oldest, counted_on: now }: QueueFields) {
  return oldest === null
    ? {}
    : { oldest: `due for ${lengthView(ageOf(oldest, now))} (since ${oldest} UTC)` }
}

function phoneTable(phones: readonly PhoneFields[], now: string): string {
  const ago = (on: string | null) => (on === null ? 'never' : `${lengthView(ageOf(on, now))} ago`)
  const rows = phones.map(each => [
    each.name,
    each.driver,
    ago(each.last_next_on),
    ago(each.last_success_on),
    ago(each.last_failure_on),
    stateView(each, now),
  ])
  return table(['PHONE', 'DRIVER', 'LAST NEXT', 'LAST SUCCESS', 'LAST FAILURE', 'STATE'], rows)
}

const day = 86_400_000

function stateView(phone: PhoneFields, now: string): string {
  const condition = phoneCondition(phone)
  const { quiet_until: until } = phone
  if (condition !== 'quiet' || typeof until !== 'string') return condition
  const minute = until.slice(0, 16)
  return `quiet until ${ageOf(now, until) < day ? minute.slice(11) : minute} UTC`
}
