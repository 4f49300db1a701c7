import { describe, expect, test } from 'vitest'
import { deliveryModes } from '../../../src/domain/account/account.js'
import {
  createMessage,
  deleteMessage,
  editMessage,
  lockMessage,
  retryMessage,
  undeleteMessage,
  unlockMessage,
} from '../../../src/domain/message/edit-message.js'
import {
  getDueTime,
  type Message,
  type MessageChange,
  type Status,
} from '../../../src/domain/message/message.js'
import { reportFailure, reportSuccess } from '../../../src/domain/message/report.js'
import { applied, inState, messageWith, minute, outcome, start } from '../samples.js'

const now = start + 60 * minute
const by = { holder: 'phone', now }
const clear = { blocked: false }
const listed = { blocked: true }
const known = { error: 'busy', outcome: 'failed' } as const
const unknown = { error: 'timeout', outcome: 'unknown' } as const
const oneMore = (message: Message, failures: number): Message => ({ ...message, failures })

const acts: Record<string, (message: Message) => MessageChange> = {
  success: message => reportSuccess(message, { parts: 2 }, by),
  failure: message => reportFailure(message, known, by, 'at-least-once'),
  'the fifth failure': message => reportFailure(oneMore(message, 4), known, by, 'at-least-once'),
  'unknown, at least once': message => reportFailure(message, unknown, by, 'at-least-once'),
  'unknown, at most once': message => reportFailure(message, unknown, by, 'at-most-once'),
  edit: message => editMessage(message, { text: 'other' }, now, clear),
  'edit to a listed number': message => editMessage(message, { number: '+1' }, now, listed),
  delete: message => deleteMessage(message, now),
  lock: message => lockMessage(message, now),
  unlock: message => unlockMessage(message, now, clear),
  'unlock with a listed number': message => unlockMessage(message, now, listed),
  retry: message => retryMessage(message, start + minute, clear),
  'retry when it is due': message => retryMessage(message, now, clear),
  'retry with a listed number': message => retryMessage(message, now, listed),
  undelete: message => undeleteMessage(message, now, clear, 'at-least-once'),
  'undelete with a listed number': message =>
    undeleteMessage(message, now, listed, 'at-least-once'),
}

/** The result of each act in each state: the status and the events, or the error. */
const table: Record<string, Partial<Record<Status, string>>> = {
  success: { N: 'S message.sent', E: 'S message.sent' },
  failure: { N: 'E', E: 'E', F: 'invalid_state' },
  'the fifth failure': { N: 'F message.failed', E: 'F message.failed' },
  'unknown, at least once': { N: 'E', E: 'E' },
  'unknown, at most once': { N: 'L', E: 'L' },
  edit: { N: 'N', E: 'E' },
  'edit to a listed number': { N: 'B message.blocked', E: 'B message.blocked' },
  delete: { N: 'D', E: 'D', L: 'D', S: 'removed', F: 'removed', B: 'removed', D: 'D' },
  lock: { N: 'L', E: 'L', L: 'same' },
  unlock: { L: 'N' },
  'unlock with a listed number': { L: 'B message.blocked' },
  retry: { E: 'E' },
  'retry when it is due': { E: 'same' },
  'retry with a listed number': { E: 'B message.blocked' },
  undelete: { D: 'N' },
  'undelete with a listed number': { D: 'B message.blocked' },
}

const states: readonly Status[] = ['N', 'S', 'E', 'F', 'D', 'L', 'B']

describe.each(Object.keys(table))('%s', act => {
  test.each(states)('from %s', from => {
    const expected = table[act]?.[from] ?? 'invalid_state'
    expect(
      outcome(() => (acts[act] as (m: Message) => MessageChange)(inState(from))).join(' '),
    ).toBe(expected)
  })
})

test.each([
  [clear, 'N message.create'],
  [listed, 'B message.create message.blocked'],
])('a message is created with %o as %s', (facts, expected) => {
  expect(outcome(() => createMessage(messageWith(), facts)).join(' ')).toBe(expected)
  expect(applied(messageWith(), createMessage(messageWith(), facts)).statusAt).toBe(start)
})

test.each<[Status, string, string]>([
  ['N', 'N', 'B message.blocked'],
  ['E', 'E', 'B message.blocked'],
  ['L', 'L', 'L'],
])('%s is restored to %s, with a listed number to %s', (from, to, blocked) => {
  const deleted = applied(inState(from), deleteMessage(inState(from), now))
  expect(deleted.status).toBe('D')
  for (const mode of deliveryModes) {
    const undelete = (facts = clear) => undeleteMessage(deleted, now, facts, mode)
    expect(outcome(() => undelete()).join(' ')).toBe(to)
    expect(outcome(() => undelete(listed)).join(' ')).toBe(blocked)
    expect(applied(deleted, undelete())).not.toHaveProperty('before')
  }
})

test('a message with failures is unlocked to E with the same due time', () => {
  const locked = applied(inState('E'), lockMessage(inState('E'), now))
  expect(applied(locked, unlockMessage(locked, now, clear))).toMatchObject({
    status: 'E',
    failures: 2,
    retryAt: start + 30 * minute,
    statusAt: now,
  })
})

test('a stored message in E with 5 failures goes to F and stays at 5', () => {
  const stored = messageWith({ status: 'E', failures: 5 })
  expect(acts.failure?.(stored)).toMatchObject({
    message: { status: 'F', failures: 5 },
    events: ['message.failed'],
  })
})

describe('a retry', () => {
  const early = start + minute

  test('makes a message due now and leaves its failures', () => {
    const retried = applied(inState('E'), retryMessage(inState('E'), early, clear))
    expect(getDueTime(retried)).toBe(early)
    expect(retried).toEqual({ ...inState('E'), retryAt: early })
  })

  test('does not send a message before its time', () => {
    const later = { ...inState('E'), sendAt: now }
    expect(getDueTime(applied(later, retryMessage(later, early, clear)))).toBe(now)
  })
})
