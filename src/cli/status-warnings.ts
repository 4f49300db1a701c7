import type { PhoneFields, QueueFields } from '../contract/phone.js'
import { ageOf, lengthView } from './ages.js'

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
export function warningsOf(
  queue: QueueFields,
  phones: readonly PhoneFields[],
  maxAge: number,
): StatusWarning[] {
  if (queue.due === 0) return []
  if (phones.length === 0) return [noPhone(queue)]
  const silent = phones.filter(phone => phone.silent).map(phone => silentPhone(phone, queue))
  const { oldest_due_on: oldest, counted_on: now } = queue
  const age = oldest === null ? 0 : ageOf(oldest, now)
  return silent.length < phones.length && age > maxAge ? [...silent, overdue(age)] : silent
}

function noPhone(queue: QueueFields): StatusWarning {
  return {
    code: 'no_phone',
    message: `No phone asks for messages, and ${dueView(queue)}.`,
    hint: 'Start one with the application key: smsrelay phone --driver NAME',
  }
}

function silentPhone({ name, last_next_on }: PhoneFields, queue: QueueFields): StatusWarning {
  const age = lengthView(ageOf(last_next_on, queue.counted_on))
  return {
    code: 'silent_phone',
    phone: name,
    message: `Phone ${name} has not asked for a message for ${age}, and ${dueView(queue)}.`,
    hint:
      'See whether it runs, reaches the relay and is not in its quiet hours; if it is gone for good: ' +
      `smsrelay status --forget ${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}`,
  }
}

function overdue(age: number): StatusWarning {
  return {
    code: 'overdue',
    message: `A message has been due for ${lengthView(age)}, although a phone asks.`,
    hint: 'Phones may send less than comes in: look at their --rate and --quiet and at what they print, or start another one.',
  }
}

function dueView({ due }: QueueFields): string {
  return due === 1 ? '1 message is due' : `${due} messages are due`
}
