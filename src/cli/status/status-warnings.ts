import type { PhoneFields, QueueFields } from '../../contract/phone-schema.js'
import { parseDateTime } from '../../domain/time/date-time.js'
import { formatDuration, getAge } from '../terminal/durations.js'
import { getQuietEnd, toPhoneCondition } from './phone-condition.js'

export interface StatusWarning {
  readonly code: string
  readonly phone?: string
  readonly message: string
  readonly hint: string
}

export function findWarnings(
  queue: QueueFields,
  phones: readonly PhoneFields[],
  maxAge: number,
): StatusWarning[] {
  if (queue.due === 0) return []
  if (phones.length === 0) return [createNoPhoneWarning(queue)]
  const silent = phones
    .filter(phone => phone.silent)
    .map(phone => createSilentPhoneWarning(phone, queue))
  return isOverdue(queue, phones, maxAge)
    ? [...silent, createOverdueWarning(queue, phones)]
    : silent
}

/**
 * Whether `status` warns about a due message; time in which all phones had quiet hours is excluded.
 */
function isOverdue(
  { oldest_due_on: oldest, counted_on: now }: QueueFields,
  phones: readonly PhoneFields[],
  maxAge: number,
): boolean {
  const quietEnds = phones.filter(phone => !phone.silent).map(getQuietEnd)
  if (oldest === null || quietEnds.length === 0) return false
  const firstEnd = Math.min(...quietEnds)
  return Math.min(getAge(oldest, now), (parseDateTime(now) ?? 0) - firstEnd) > maxAge
}

function createNoPhoneWarning(queue: QueueFields): StatusWarning {
  return {
    code: 'no_phone',
    message: `No phone fetches messages, and ${formatDue(queue)}.`,
    hint: 'Start one with the application key: smsrelay phone --driver NAME',
  }
}

function createSilentPhoneWarning(phone: PhoneFields, queue: QueueFields): StatusWarning {
  const { name, last_next_on, last_seen_on = last_next_on } = phone
  const age = formatDuration(getAge(last_seen_on ?? queue.counted_on, queue.counted_on))
  return {
    code: 'silent_phone',
    phone: name,
    message: `Phone ${name} has been silent for ${age}, and ${formatDue(queue)}.`,
    hint:
      'Check that it runs and reaches the relay. If it is no longer used: ' +
      `smsrelay status --forget ${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}`,
  }
}

function createOverdueWarning(
  { oldest_due_on: oldest, counted_on: now }: QueueFields,
  phones: readonly PhoneFields[],
): StatusWarning {
  const message = `A message has been due for ${formatDuration(getAge(oldest ?? now, now))}`
  const waiting = phones.find(phone => toPhoneCondition(phone) === 'waiting')
  if (waiting !== undefined && !phones.some(phone => toPhoneCondition(phone) === 'alive')) {
    return {
      code: 'overdue',
      phone: waiting.name,
      message: `${message}, and phone ${waiting.name} runs but does not fetch it.`,
      hint: 'It is offline or has reached --rate: read its output, or start another phone.',
    }
  }
  return {
    code: 'overdue',
    message: `${message}, although a phone fetches messages.`,
    hint: 'The phones may be too slow: check --rate and --quiet, or start another phone.',
  }
}

function formatDue({ due }: QueueFields): string {
  return due === 1 ? '1 message is due' : `${due} messages are due`
}
