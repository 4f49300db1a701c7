import { describe, expect, test } from 'vitest'
import {
  addAttempt,
  attemptsPattern,
  leasesPattern,
  listAttempts,
  listReleases,
  noReportError,
} from '../../../src/domain/message/attempts.js'
import { claimMessage, expireLease, renewLease } from '../../../src/domain/message/claim.js'
import type { Message } from '../../../src/domain/message/message.js'
import { releaseMessage, reportFailure, reportSuccess } from '../../../src/domain/message/report.js'
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

test('the last ten failures are stored', () => {
  let attempts: string | undefined
  for (let at = 1; at <= 12; at += 1)
    attempts = addAttempt({ attempts } as Message, { at, ...failed })
  const message = messageWith({ attempts: attempts as string })
  expect(listAttempts(message).map(({ at }) => at)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
})

test('an unknown outcome that locks the message is an attempt', () => {
  const report = { error: 'timeout', outcome: 'unknown' } as const
  const by = { holder: 'token', now: start }
  const locked = applied(messageWith(), reportFailure(messageWith(), report, by, 'at-most-once'))
  expect(listAttempts(locked)).toEqual([{ at: start, outcome: 'unknown', error: 'timeout' }])
})

const lease = { holder: 'token', until: start + minute }
const by = { holder: 'token', now: start + 5000, lease: minute, phone: 'attic' }
const expiry = { now: start + 2 * minute, lease: minute, formerPhone: 'attic' }
const unreported = { at: start + minute, beganAt: start, outcome: 'unknown', phone: 'attic' }

test('a lease that ended without a report and locked the message is an attempt', () => {
  const leased = messageWith({ lease })
  const locked = applied(leased, expireLease(leased, { ...expiry, mode: 'at-most-once' }))
  expect(listAttempts(locked)).toEqual([{ ...unreported, error: noReportError }])
})

test('a lease that ended without a report is an attempt when another phone claims', () => {
  const leased = messageWith({ lease })
  const claim = { ...expiry, holder: 'other', mode: 'at-least-once' } as const
  const claimed = applied(leased, claimMessage(leased, claim, { blocked: false }))
  expect(listAttempts(claimed)).toEqual([{ ...unreported, error: noReportError }])
  expect(claimed).toMatchObject({ status: 'N', failures: 0, lease: { holder: 'other' } })
})

test('attempts know since when the phone had the message', () => {
  const leased = messageWith({ lease })
  const once = applied(leased, reportFailure(leased, failed, by, 'at-least-once'))
  const again = { ...once, lease: { ...lease, until: start + 3 * minute } }
  const sent = applied(again, reportSuccess(again, { parts: 1 }, { ...by, now: start + 121_000 }))
  expect(listAttempts(sent)).toEqual([
    { at: start + 5000, beganAt: start, ...failed, phone: 'attic' },
    { at: start + 121_000, beganAt: start + 2 * minute, outcome: 'sent', phone: 'attic' },
  ])
})

test('the attempt of a phone that no longer has the message has no begin', () => {
  const leased = messageWith({ lease: { ...lease, holder: 'other' } })
  const reported = applied(leased, reportFailure(leased, failed, by, 'at-least-once'))
  expect(listAttempts(reported)).toEqual([{ at: by.now, ...failed, phone: 'attic' }])
  const sent = applied(leased, reportSuccess(leased, { parts: 1 }, by))
  expect(listAttempts(sent)).toEqual([{ at: by.now, outcome: 'sent', phone: 'attic' }])
})

test('a lease that was renewed began when the message was claimed', () => {
  const leased = messageWith({ lease })
  let renewed: Message = leased
  for (const now of [start + 30_000, start + 60_000]) {
    const renewal = { ...by, now, mode: 'at-least-once' } as const
    renewed = applied(renewed, renewLease(renewed, renewal, { blocked: false }))
  }
  const sent = applied(
    renewed,
    reportSuccess(renewed, { parts: 1 }, { ...by, now: start + 70_000 }),
  )
  expect(listAttempts(sent)).toMatchObject([{ at: start + 70_000, beganAt: start }])
  expect(sent).not.toHaveProperty('leasedAt')
})

test('the last five releases are stored, and are no attempts', () => {
  let message = messageWith()
  for (let nth = 0; nth < 7; nth += 1) {
    const leased = { ...message, lease: { ...lease, until: start + nth + minute } }
    const released = releaseMessage(leased, {}, { ...by, now: start + nth + 1 }, { blocked: false })
    message = applied(leased, released)
  }
  expect(message.leases).toMatch(leasesPattern)
  const sent = applied(message, reportSuccess(message, { parts: 1 }, by))
  for (const each of [message, sent])
    expect(listReleases(each)).toEqual(
      [2, 3, 4, 5, 6].map(n => ({ at: start + n + 1, beganAt: start + n, phone: 'attic' })),
    )
  expect(listAttempts(message)).toEqual([])
})

test('a message that was released is sent with the begin of its last lease', () => {
  const leased = messageWith({ lease, leases: `${start} 7 attic 12` })
  const sent = applied(leased, reportSuccess(leased, { parts: 1 }, by))
  expect(sent.leases).toMatch(leasesPattern)
  expect(listAttempts(sent)).toMatchObject([{ beganAt: start }])
  const unknown = applied(leased, reportSuccess(leased, { parts: 1 }, { holder: 'x', now: start }))
  expect(listAttempts(unknown)).toEqual([{ at: start, outcome: 'sent' }])
  expect(listReleases(unknown)).toHaveLength(1)
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
