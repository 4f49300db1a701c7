import { describe, expect, test } from 'vitest'
import {
  applyDeliveryFailure,
  applyDeliveryGone,
  applyDeliverySuccess,
  getAttemptNumber,
} from '../../../src/domain/webhook/subscription.js'
import { fresh } from '../samples.js'

const hour = 60 * 60 * 1000

describe('applyDeliverySuccess', () => {
  test('counts the first webhook and moves the cursor', () => {
    expect(applyDeliverySuccess(fresh, 41)).toEqual({ ...fresh, triggered: 8, cursor: 41 })
  })

  test('does not count a retry', () => {
    const failed = applyDeliveryFailure(fresh, 41, 1000)
    expect(applyDeliverySuccess(failed, 41)).toEqual({ ...fresh, triggered: 8, cursor: 41 })
  })

  test('moves the cursor past later delivered events when the earlier one is delivered', () => {
    const next = (seq: number) => (seq < 43 ? { seq: seq + 1 } : undefined)
    const first = applyDeliverySuccess(fresh, 42, next)
    expect(first).toEqual({ ...fresh, triggered: 8, ahead: [{ seq: 42 }] })
    const failed = applyDeliveryFailure(first, 41, 1000, { next })
    expect(failed).toMatchObject({ cursor: 40, trying: { seq: 41 }, ahead: [{ seq: 42 }] })
    expect(applyDeliverySuccess(failed, 41, next)).toEqual({ ...fresh, triggered: 9, cursor: 42 })
  })

  test('drops the retries of an event that is no longer stored', () => {
    const failed = applyDeliveryFailure(fresh, 41, 1000)
    const next = (seq: number) => (seq < 42 ? { seq: 42 } : undefined)
    expect(applyDeliverySuccess(failed, 42, next)).toMatchObject({ cursor: 42 })
  })
})

describe('applyDeliveryFailure', () => {
  test('counts the event once and keeps the cursor', () => {
    const once = applyDeliveryFailure(fresh, 41, 1000)
    const trying = { seq: 41, attempts: 1, firstAt: 1000, retryAt: 2000 }
    expect(once).toEqual({ ...fresh, triggered: 8, trying })
    expect(applyDeliveryFailure(once, 41, 2500)).toEqual({
      ...fresh,
      triggered: 8,
      trying: { seq: 41, attempts: 2, firstAt: 1000, retryAt: 7500 },
    })
  })

  test('starts the retries of another event from the start', () => {
    const trying = { seq: 42, attempts: 1, firstAt: 5000, retryAt: 6000 }
    const both = applyDeliveryFailure(applyDeliveryFailure(fresh, 41, 1000), 42, 5000)
    expect(both).toMatchObject({ triggered: 9, trying: { seq: 41 }, ahead: [trying] })
  })

  test('waits 1 s, 5 s, 30 s, 2 m, 10 m, 30 m, 1 h, then hourly', () => {
    const waits: number[] = []
    let [subscription, now] = [fresh, 0]
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      subscription = applyDeliveryFailure(subscription, 41, now)
      const retryAt = subscription.trying?.retryAt ?? 0
      waits.push((retryAt - now) / 1000)
      now = retryAt
    }
    expect(waits).toEqual([1, 5, 30, 120, 600, 1800, 3600, 3600, 3600, 3600])
  })

  test.each([
    [71 * hour, true],
    [71 * hour + 1, false],
    [500 * hour, false],
  ])('%i ms after the first webhook there is another retry: %s', (now, again) => {
    const trying = { seq: 41, attempts: 20, firstAt: 0, retryAt: now }
    const after = applyDeliveryFailure({ ...fresh, onExhausted: 'skip', trying }, 41, now)
    expect(after.trying !== undefined).toBe(again)
    expect(after.cursor).toBe(again ? 40 : 41)
  })
  test('pauses after the last retry, or skips the event by onExhausted', () => {
    const trying = { seq: 41, attempts: 20, firstAt: 0, retryAt: 0 }
    const after = applyDeliveryFailure({ ...fresh, triggered: 8, trying }, 41, 100 * hour)
    expect(after).toMatchObject({
      cursor: 40,
      triggered: 8,
      trying: { seq: 41, attempts: 21 },
      paused: { at: 100 * hour, reason: 'exhausted' },
    })
  })

  test.each([
    [0, 900],
    [0.5, 1000],
    [1, 1100],
  ])('with the random number %d the first delay is %i ms', (random, wait) => {
    expect(applyDeliveryFailure(fresh, 41, 0, { random }).trying?.retryAt).toBe(wait)
  })

  test.each([
    [200, 1000],
    [20_000, 20_000],
    [hour, hour],
    [5 * hour, hour],
  ])('with a Retry-After of %i ms the first delay is %i ms', (retryAfter, wait) => {
    expect(applyDeliveryFailure(fresh, 41, 0, { retryAfter }).trying?.retryAt).toBe(wait)
  })
})

describe('applyDeliveryGone', () => {
  test('pauses before the event and counts it', () => {
    const after = applyDeliveryGone(fresh, 41, 5)
    expect(after).toMatchObject({ cursor: 40, triggered: 8, paused: { at: 5, reason: 'gone' } })
    expect(getAttemptNumber(after, 41)).toBe(2)
  })

  test('keeps the reason of an earlier pause', () => {
    const paused = { at: 1, reason: 'request' } as const
    expect(applyDeliveryGone({ ...fresh, paused }, 41, 5).paused).toEqual(paused)
  })
})
