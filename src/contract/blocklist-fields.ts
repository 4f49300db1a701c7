import type { DoNotTextEntry } from '../domain/account/account.js'
import { formatDateTime } from '../domain/time/date-time.js'
import type { DoNotTextFields } from './blocklist-reply.js'

/** An entry of a Do Not Text list, as replies show it. */
export function toDoNotTextFields(entry: DoNotTextEntry): DoNotTextFields {
  const { number, at, scope, reason = null, by = null, note = null } = entry
  return {
    number,
    added_on: formatDateTime(at),
    scope: scope === '*' ? 'service' : 'account',
    ...{ reason, by, note },
  }
}
