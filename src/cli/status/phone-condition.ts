import type { PhoneFields } from '../../contract/phone-schema.js'
import { conditionOf, type PhoneCondition } from '../../domain/phone/phone-status.js'
import { parseDateTime } from '../../domain/time/date-time.js'

/** How a phone is doing, as far as its relay says. */
export function phoneCondition(phone: PhoneFields): PhoneCondition {
  return conditionOf({
    silent: phone.silent,
    lastNextAt: timeOf(phone.last_next_on),
    lastSeenAt: timeOf(phone.last_seen_on),
    quietUntil: timeOf(phone.quiet_until),
  })
}

/** When the rest of a phone ends or ended, in milliseconds since the epoch: Infinity for one at rest, 0 for one that never was. */
export function restEnd(phone: PhoneFields): number {
  if (timeOf(phone.quiet_until) !== undefined) return Number.POSITIVE_INFINITY
  return timeOf(phone.last_quiet_on) ?? 0
}

function timeOf(on: string | null | undefined): number | undefined {
  return typeof on === 'string' ? parseDateTime(on) : undefined
}
