import { describe, expect, test } from 'vitest'
import { addAttempt, attemptsPattern, listAttempts } from '../../../src/domain/message/attempts.js'
import { expireLease } from '../../../src/domain/message/claim.js'
import type { Message } from '../../../src/domain/message/message.js'
import { reportFailure, reportSuccess } from '../../../src/domain/message/report.js'
import { applied, messageWith, minute, start } from '../samples.js'

const failed = { outcome: 'failed', error: 'busy' } as const

function failAt(message: Message, at: number, error = 'busy', phone?: string): Message {
  const by = { holder: 'token', now: at, phone }
  return applied(message, reportFailure(message, { ...failed, error }, by, 'at-least-once'))
}

test('a new message has no attempts', () => {
  expect(listAttempts(messageWith())).toEqual([])
})

test('each failure is an attempt with its time, phone and error, before the success', () => {
  const once = failAt(messageWith(), start + 1, 'no carrier', 'attic modem')
  const twice = failAt(once, start + 2, 'busy')
  const by = { holder: 'token', now: start + 3, phone: 'cellar' }
  const sent = applied(twice, reportSuccess(twice, { parts: 1 }, by))
  expect(listAttempts(sent)).toEqual([
    { at: start + 1, outcome: 'failed', phone: 'attic modem', error: 'no carrier' },
    { at: start + 2, outcome: 'failed', error: 'busy' },
    { at: start + 3, outcome: 'sent', phone: 'cellar' },
  ])
})

test('a success at the first attempt stores nothing more', () => {
  const sent = applied(
    messageWith(),
    reportSuccess(messageWith(), { parts: 1 }, { holder: 't', now: start }),
  )
  expect(sent).not.toHaveProperty('attempts')
  expect(listAttempts(sent)).toEqual([{ at: start, outcome: 'sent' }])
})

test('the sent attempt does not have the name of the phone that failed before', () => {
  const once = failAt(messageWith(), start + 1, 'busy', 'attic')
  const sent = applied(once, reportSuccess(once, { parts: 1 }, { holder: 't', now: start + 2 }))
  expect(listAttempts(sent).at(-1)).toEqual({ at: start + 2, outcome: 'sent' })
})

test('the last five failures are stored', () => {
  let attempts: string | undefined
  for (let at = 1; at <= 7; at += 1)
    attempts = addAttempt({ attempts } as Message, { at, ...failed })
  const message = messageWith({ attempts: attempts as string })
  expect(listAttempts(message).map(({ at }) => at)).toEqual([3, 4, 5, 6, 7])
})

test('an unknown outcome that locks the message is an attempt', () => {
  const report = { error: 'timeout', outcome: 'unknown' } as const
  const by = { holder: 'token', now: start }
  const locked = applied(messageWith(), reportFailure(messageWith(), report, by, 'at-most-once'))
  expect(listAttempts(locked)).toEqual([{ at: start, outcome: 'unknown', error: 'timeout' }])
})

test('a lease that ended without a report and locked the message is an attempt', () => {
  const leased = messageWith({ lease: { holder: 'token', until: start + minute } })
  const locked = applied(leased, expireLease(leased, start + minute, 'at-most-once'))
  expect(listAttempts(locked)).toMatchObject([{ at: start + minute, outcome: 'unknown' }])
})

describe('an error', () => {
  test.each([
    ['several lines', 'one\ntwo\n', 'one two '],
    ['a tab', 'one\ttwo', 'one\ttwo'],
    ['a carriage return', 'one\r\ntwo', 'one\r two'],
    ['no words', '', ''],
    ['many words', 'x'.repeat(300), 'x'.repeat(200)],
    ['half a character at the limit', `${'x'.repeat(199)}🙂`, `${'x'.repeat(199)}\ufffd`],
  ])('of %s is stored in one line', (_, error, stored) => {
    const message = failAt(failAt(messageWith(), start, error), start + 1, error)
    expect(listAttempts(message).map(each => each.error)).toEqual([stored, stored])
    expect(message.attempts).toMatch(attemptsPattern)
    expect(message.error).toBe(error)
  })
})
