import type { PhoneFields } from '../../contract/phone-schema.js'
import { getPhoneCondition, type PhoneCondition } from '../../domain/phone/phone-status.js'
import { parseDateTime } from '../../domain/time/date-time.js'

export function toPhoneCondition(phone: PhoneFields): PhoneCondition {
  return getPhoneCondition({
    silent: phone.silent,
    lastNextAt: parseOptionalTime(phone.last_next_on),
    lastSeenAt: parseOptionalTime(phone.last_seen_on),
    quietUntil: parseOptionalTime(phone.quiet_until),
  })
}

/**
 * End of a phone's last quiet hours for `status`, in milliseconds since the epoch: Infinity during
 * quiet hours, 0 if there were none.
 */
export function getQuietEnd(phone: PhoneFields): number {
  if (parseOptionalTime(phone.quiet_until) !== undefined) return Number.POSITIVE_INFINITY
  return parseOptionalTime(phone.last_quiet_on) ?? 0
}

function parseOptionalTime(on: string | null | undefined): number | undefined {
  return typeof on === 'string' ? parseDateTime(on) : undefined
}
