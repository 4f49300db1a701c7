import type { PhoneFields, QueueFields } from '../../contract/phone-schema.js'
import { parseDateTime } from '../../domain/time/date-time.js'
import { formatDuration, getAge } from '../terminal/durations.js'
import { describePhoneCondition, getQuietEnd } from './phone-condition.js'

/** Something that wants looking after. */
export interface StatusWarning {
  readonly code: 'no_phone' | 'silent_phone' | 'overdue'
  /** The phone it is about. */
  readonly phone?: string
  /** What is wrong, in one sentence. */
  readonly message: string
  /** What to do about it. */
  readonly hint: string
}

/**
 * What is wrong with the phones and messages of an account.
 *
 * @param maxAge milliseconds that a message may be due
 */
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

/** Whether a message is due for long while a phone is there, its rest not counted. */
function isOverdue(
  { oldest_due_on: oldest, counted_on: now }: QueueFields,
  phones: readonly PhoneFields[],
  maxAge: number,
): boolean {
  const rests = phones.filter(phone => !phone.silent).map(getQuietEnd)
  if (oldest === null || rests.length === 0) return false
  const firstEnd = Math.min(...rests)
  return Math.min(getAge(oldest, now), (parseDateTime(now) ?? 0) - firstEnd) > maxAge
}

function createNoPhoneWarning(queue: QueueFields): StatusWarning {
  return {
    code: 'no_phone',
    message: `No phone asks for messages, and ${formatDue(queue)}.`,
    hint: 'Start one with the application key: smsrelay phone --driver NAME',
  }
}

function createSilentPhoneWarning(phone: PhoneFields, queue: QueueFields): StatusWarning {
  const { name, last_next_on, last_seen_on = last_next_on } = phone
  const age = formatDuration(getAge(last_seen_on ?? queue.counted_on, queue.counted_on))
  return {
    code: 'silent_phone',
    phone: name,
    message: `Phone ${name} has given no sign of life for ${age}, and ${formatDue(queue)}.`,
    hint:
      'See whether it runs, reaches the relay and tells it of its quiet hours; if it is gone for good: ' +
      `smsrelay status --forget ${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}`,
  }
}

function createOverdueWarning(
  { oldest_due_on: oldest, counted_on: now }: QueueFields,
  phones: readonly PhoneFields[],
): StatusWarning {
  const message = `A message has been due for ${formatDuration(getAge(oldest ?? now, now))}`
  const waiting = phones.find(phone => describePhoneCondition(phone) === 'waiting')
  if (waiting !== undefined && !phones.some(phone => describePhoneCondition(phone) === 'alive')) {
    return {
      code: 'overdue',
      phone: waiting.name,
      message: `${message}, and phone ${waiting.name} is there but does not ask.`,
      hint: 'Its line is down or its --rate is used up: look at what it prints, or start another one.',
    }
  }
  return {
    code: 'overdue',
    message: `${message}, although a phone asks.`,
    hint: 'Phones may send less than comes in: look at their --rate and --quiet and at what they print, or start another one.',
  }
}

function formatDue({ due }: QueueFields): string {
  return due === 1 ? '1 message is due' : `${due} messages are due`
}
