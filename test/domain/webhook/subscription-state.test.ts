import { describe, expect, test } from 'vitest'
import {
  applyDeliveryFailure,
  getAttemptNumber,
  pauseSubscription,
} from '../../../src/domain/webhook/subscription.js'
import {
  editSubscription,
  getSubscriptionState,
  isWaitingFor,
  resumeSubscription,
} from '../../../src/domain/webhook/subscription-state.js'
import { fresh } from '../samples.js'

const failing = applyDeliveryFailure(applyDeliveryFailure(fresh, 41, 0), 41, 1000)

describe('an edit', () => {
  test('changes the given fields', () => {
    expect(editSubscription(fresh, { method: 'PUT', onExhausted: 'skip' }, 0)).toEqual({
      ...fresh,
      method: 'PUT',
      onExhausted: 'skip',
    })
  })

  test.each([{ url: 'http://h/2' }, { method: 'PING' }, { post: true }])(
    'of %j makes a waiting retry due at once, with its retries from the start',
    changes => {
      const after = editSubscription(failing, changes, 5000)
      expect(after.trying).toMatchObject({ seq: 41, attempts: 0, firstAt: 5000, retryAt: 5000 })
      expect(getAttemptNumber(after, 41)).toBe(3)
      expect(applyDeliveryFailure(after, 41, 5000).trying).toMatchObject({
        attempts: 1,
        retryAt: 6000,
      })
    },
  )

  test('of onExhausted does not change the retry', () => {
    expect(editSubscription(failing, { onExhausted: 'skip' }, 5000).trying).toEqual(failing.trying)
  })
})

describe('pausing and resuming', () => {
  test('a pause does not change the retry, or an earlier pause', () => {
    const paused = pauseSubscription(failing, 9, 'request')
    expect(paused).toEqual({ ...failing, paused: { at: 9, reason: 'request' } })
    expect(pauseSubscription(paused, 10, 'request')).toBe(paused)
  })

  test('resuming makes the retry due', () => {
    expect(resumeSubscription(pauseSubscription(fresh, 9, 'request'), 10)).toEqual(fresh)
    expect(resumeSubscription(pauseSubscription(failing, 9, 'request'), 10).trying).toMatchObject({
      retryAt: 10,
    })
  })

  test('the state is paused before it is retrying', () => {
    const all = [
      fresh,
      failing,
      pauseSubscription(fresh, 9, 'request'),
      pauseSubscription(failing, 9, 'request'),
    ]
    expect(all.map(getSubscriptionState)).toEqual(['active', 'retrying', 'paused', 'paused'])
  })

  test('an event waits if it failed or if the subscription is paused', () => {
    expect(isWaitingFor(fresh, 41)).toBe(false)
    expect(isWaitingFor(failing, 41)).toBe(true)
    expect(isWaitingFor(failing, 42)).toBe(false)
    expect(isWaitingFor(pauseSubscription(fresh, 9, 'request'), 41)).toBe(true)
  })
})
