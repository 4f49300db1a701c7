import { describe, expect, test } from 'vitest'
import { applyDeliveryFailure, getAttemptNumber } from '../../../src/domain/webhook/subscription.js'
import {
  editSubscription,
  getSubscriptionState,
  isWaitingFor,
  pauseOnRequest,
  resumeSubscription,
} from '../../../src/domain/webhook/subscription-state.js'
import { fresh } from '../samples.js'

const failing = applyDeliveryFailure(applyDeliveryFailure(fresh, 41, 0), 41, 1000)

describe('edited', () => {
  test('changes what is given', () => {
    expect(editSubscription(fresh, { method: 'PUT', onExhausted: 'skip' }, 0)).toEqual({
      ...fresh,
      method: 'PUT',
      onExhausted: 'skip',
    })
  })

  test.each([{ url: 'http://h/2' }, { method: 'PING' }, { post: true }])(
    '%j makes a waiting retry due at once, with its retry times anew',
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

  test('onExhausted alone leaves the retry where it is', () => {
    expect(editSubscription(failing, { onExhausted: 'skip' }, 5000).trying).toEqual(failing.trying)
  })
})

describe('pausing and resuming', () => {
  test('a pause keeps the retry, and its own time and reason', () => {
    const paused = pauseOnRequest(failing, 9)
    expect(paused).toEqual({ ...failing, paused: { at: 9, reason: 'request' } })
    expect(pauseOnRequest(paused, 10)).toBe(paused)
  })

  test('a resumed lane is as it was, with its retry due', () => {
    expect(resumeSubscription(pauseOnRequest(fresh, 9), 10)).toEqual(fresh)
    expect(resumeSubscription(pauseOnRequest(failing, 9), 10).trying).toMatchObject({ retryAt: 10 })
  })

  test('the state is that of the pause, then that of the retry', () => {
    const all = [fresh, failing, pauseOnRequest(fresh, 9), pauseOnRequest(failing, 9)]
    expect(all.map(getSubscriptionState)).toEqual(['active', 'retrying', 'paused', 'paused'])
  })

  test('an event waits for a person once it has failed, or its lane is paused', () => {
    expect(isWaitingFor(fresh, 41)).toBe(false)
    expect(isWaitingFor(failing, 41)).toBe(true)
    expect(isWaitingFor(failing, 42)).toBe(false)
    expect(isWaitingFor(pauseOnRequest(fresh, 9), 41)).toBe(true)
  })
})
