import type { PhoneFields, QueueFields } from '../contract/phone.js'
import { ageOf, lengthView } from './ages.js'
import type { RelayStatus } from './status.js'
import { fields, table } from './text.js'

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
    each.silent ? 'silent' : 'alive',
  ])
  return table(['PHONE', 'DRIVER', 'LAST NEXT', 'LAST SUCCESS', 'LAST FAILURE', 'STATE'], rows)
}
