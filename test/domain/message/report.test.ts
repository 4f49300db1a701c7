import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unlockMessage } from '../../../src/domain/message/edit-message.js'
import { getDueTime, type Message, retryStep } from '../../../src/domain/message/message.js'
import {
  type FailureReport,
  type ReportSource,
  releaseMessage,
  reportFailure,
  reportSuccess,
} from '../../../src/domain/message/report.js'
import { applied, messageWith, minute, start } from '../samples.js'

const now = start + minute
const busy: FailureReport = { error: 'busy', outcome: 'failed' }
const lost: FailureReport = { error: 'timeout', outcome: 'unknown' }
const phone = { holder: 'phone', now }
const other = { holder: 'other', now }
const leased = { lease: { holder: 'phone', until: now + minute }, lastHolder: 'phone' }

function failed(message: Message, report = busy, by: ReportSource = phone): Message {
  return applied(message, reportFailure(message, report, by, 'at-least-once'))
}

describe('a repeated report', () => {
  const keyed = { ...phone, key: 'k' }
  const again = { ...keyed, now: now + minute }

  test('of success with the same parts changes nothing', () => {
    const sent = applied(messageWith(), reportSuccess(messageWith(), { parts: 1 }, phone))
    expect(reportSuccess(sent, { parts: 1 }, other)).toEqual({})
    expect(() => reportSuccess(sent, { parts: 2 }, phone)).toThrow('The message is sent')
  })

  test('of success with the same key changes nothing, with any parts', () => {
    const sent = applied(messageWith(), reportSuccess(messageWith(), { parts: 1 }, keyed))
    expect(reportSuccess(sent, { parts: 2 }, again)).toEqual({})
  })

  test('with the same key counts once', () => {
    const once = failed(messageWith(), busy, keyed)
    expect(reportFailure(once, busy, again, 'at-least-once')).toEqual({})
    expect(failed(once, busy, { ...again, key: 'other' }).failures).toBe(2)
    expect(failed(once, busy, phone).failures).toBe(2)
  })

  test('with the same key counts once, also after reports of other phones', () => {
    const key = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'b', ' ') })
    const keys = fc.uniqueArray(key, { minLength: 4, maxLength: 4 })
    const property = fc.property(keys, fc.array(fc.nat(3), { maxLength: 20 }), (names, order) => {
      let message = messageWith()
      for (const index of order) {
        const by = { holder: `phone ${index}`, now, key: names[index] }
        const change = reportFailure(message, busy, by, 'at-least-once')
        if (change.message !== undefined) message = applied(message, change)
      }
      expect(message.failures).toBe(new Set(order).size)
    })
    fc.assert(property)
  })

  test('of the fifth failure with the same key changes nothing', () => {
    const abandoned = failed(messageWith({ status: 'E', failures: 4 }), busy, keyed)
    expect(abandoned.status).toBe('F')
    expect(reportFailure(abandoned, busy, again, 'at-least-once')).toEqual({})
    expect(() => reportFailure(abandoned, busy, phone, 'at-least-once')).toThrow('failed')
  })

  test('of an unknown outcome with the same key leaves the message locked', () => {
    const locked = applied(messageWith(), reportFailure(messageWith(), lost, keyed, 'at-most-once'))
    expect(locked.status).toBe('L')
    expect(reportFailure(locked, lost, again, 'at-most-once')).toEqual({})
  })
})

describe('a report on a locked message', () => {
  const locked = messageWith({ status: 'L', lastHolder: 'phone' })

  test('is accepted from the phone that had it', () => {
    expect(reportSuccess(locked, { parts: 1 }, phone).message?.status).toBe('S')
    expect(failed(locked)).toMatchObject({ status: 'E', failures: 1 })
  })

  test('is an error from another phone', () => {
    expect(() => reportSuccess(locked, { parts: 1 }, other)).toThrow('locked')
    expect(() => reportFailure(locked, busy, other, 'at-least-once')).toThrow('locked')
  })
})

describe('a released message', () => {
  const open = { blocked: false }

  test('is blocked if its number is listed by now', () => {
    const { message, events } = releaseMessage(messageWith(leased), {}, phone, { blocked: true })
    expect([message?.status, events]).toEqual(['B', ['message.blocked']])
  })

  test('is due as before and has no lease', () => {
    const before = messageWith({ ...leased, status: 'E', failures: 2, retryAt: start })
    const after = applied(before, releaseMessage(before, {}, phone, open))
    const { lease: _, lastHolder: __, ...same } = before
    expect(after).toEqual({ ...same, leases: expect.any(String) })
    expect(releaseMessage(before, {}, phone, open).events).toBeUndefined()
  })

  test('is due later on request', () => {
    const before = messageWith(leased)
    const after = applied(before, releaseMessage(before, { retryAfter: 30_000 }, phone, open))
    expect(getDueTime(after)).toBe(now + 30_000)
  })

  test('cannot be released by another phone', () => {
    expect(() => releaseMessage(messageWith(leased), {}, other, open)).toThrow(
      'Another phone holds',
    )
  })

  test('can be released again without effect', () => {
    expect(releaseMessage(messageWith(), {}, phone, open)).toEqual({})
  })

  test('stays locked if it was locked meanwhile, even if its number is listed', () => {
    const locked = messageWith({ ...leased, status: 'L' })
    const { lease: _, lastHolder: __, ...same } = locked
    const after = applied(locked, releaseMessage(locked, {}, phone, { blocked: true }))
    expect(after).toEqual({ ...same, leases: expect.any(String) })
    expect(() => releaseMessage(locked, {}, other, open)).toThrow('Another phone holds')
  })

  test.each(['S', 'F', 'B', 'L', 'D'] as const)('cannot be released in %s', status => {
    expect(() =>
      releaseMessage(messageWith({ status, lastHolder: 'phone' }), {}, phone, open),
    ).toThrow('only a new')
  })
})

test('a leased message that was locked stays locked after a failure', () => {
  const locked = failed(messageWith({ ...leased, status: 'L' }))
  expect(locked).toMatchObject({ status: 'L', failures: 1, retryAt: now + retryStep })
  expect(locked).not.toHaveProperty('lease')
  expect(() => failed(locked)).toThrow('only a new')
})

describe('a lease', () => {
  test('ends with the report of its holder', () => {
    expect(failed(messageWith(leased))).not.toHaveProperty('lease')
  })

  test('stays after a failure report of another phone that leads to a retry', () => {
    expect(failed(messageWith(leased), busy, other)).toMatchObject(leased)
  })

  test.each<[string, Partial<Message>, FailureReport, 'at-least-once' | 'at-most-once']>([
    ['abandons', { status: 'E', failures: 4 }, busy, 'at-least-once'],
    ['locks', {}, lost, 'at-most-once'],
  ])('ends when the report of another phone %s the message', (_, changes, report, mode) => {
    const message = messageWith({ ...leased, ...changes })
    const reported = applied(message, reportFailure(message, report, other, mode))
    expect('FL').toContain(reported.status)
    expect(reported).not.toHaveProperty('lease')
  })

  test('does not lock a message again that was unlocked', () => {
    const message = messageWith(leased)
    const locked = applied(message, reportFailure(message, lost, other, 'at-most-once'))
    expect(applied(locked, unlockMessage(locked, now, { blocked: false }))).not.toHaveProperty(
      'lease',
    )
  })
})
