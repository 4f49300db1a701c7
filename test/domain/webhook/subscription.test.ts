import { describe, expect, test } from 'vitest'
import {
  applyDeliveryFailure,
  applyDeliveryGone,
  applyDeliverySuccess,
} from '../../../src/domain/webhook/subscription.js'
import { fresh } from '../samples.js'

describe('applyDeliverySuccess', () => {
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
  test('starts the retries of another event from the start', () => {
    const trying = { seq: 42, attempts: 1, firstAt: 5000, retryAt: 6000 }
    const both = applyDeliveryFailure(applyDeliveryFailure(fresh, 41, 1000), 42, 5000)
    expect(both).toMatchObject({ triggered: 9, trying: { seq: 41 }, ahead: [trying] })
  })

  test.each([
    [0, 900],
    [0.5, 1000],
    [1, 1100],
  ])('with the random number %d the first delay is %i ms', (random, wait) => {
    expect(applyDeliveryFailure(fresh, 41, 0, { random }).trying?.retryAt).toBe(wait)
  })
})

describe('applyDeliveryGone', () => {
  test('keeps the reason of an earlier pause', () => {
    const paused = { at: 1, reason: 'request' } as const
    expect(applyDeliveryGone({ ...fresh, paused }, 41, 5).paused).toEqual(paused)
  })
})
