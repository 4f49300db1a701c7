import { describe, expect, test } from 'vitest'
import { attemptOf, hitFailed } from '../../../src/domain/webhook/subscription.js'
import {
  edited,
  laneState,
  pausedByRequest,
  resumed,
  waitsFor,
} from '../../../src/domain/webhook/subscription-state.js'
import { fresh } from '../samples.js'

const failing = hitFailed(hitFailed(fresh, 41, 0), 41, 1000)

describe('edited', () => {
  test('changes what is given', () => {
    expect(edited(fresh, { method: 'PUT', onExhausted: 'skip' }, 0)).toEqual({
      ...fresh,
      method: 'PUT',
      onExhausted: 'skip',
    })
  })

  test.each([{ url: 'http://h/2' }, { method: 'PING' }, { post: true }])(
    '%j makes a waiting retry due at once, with its retry times anew',
    changes => {
      const after = edited(failing, changes, 5000)
      expect(after.trying).toMatchObject({ seq: 41, attempts: 0, firstAt: 5000, retryAt: 5000 })
      expect(attemptOf(after, 41)).toBe(3)
      expect(hitFailed(after, 41, 5000).trying).toMatchObject({ attempts: 1, retryAt: 6000 })
    },
  )

  test('onExhausted alone leaves the retry where it is', () => {
    expect(edited(failing, { onExhausted: 'skip' }, 5000).trying).toEqual(failing.trying)
  })
})

describe('pausing and resuming', () => {
  test('a pause keeps the retry, and its own time and reason', () => {
    const paused = pausedByRequest(failing, 9)
    expect(paused).toEqual({ ...failing, paused: { at: 9, reason: 'request' } })
    expect(pausedByRequest(paused, 10)).toBe(paused)
  })

  test('a resumed lane is as it was, with its retry due', () => {
    expect(resumed(pausedByRequest(fresh, 9), 10)).toEqual(fresh)
    expect(resumed(pausedByRequest(failing, 9), 10).trying).toMatchObject({ retryAt: 10 })
  })

  test('the state is that of the pause, then that of the retry', () => {
    const all = [fresh, failing, pausedByRequest(fresh, 9), pausedByRequest(failing, 9)]
    expect(all.map(laneState)).toEqual(['active', 'retrying', 'paused', 'paused'])
  })

  test('an event waits for a person once it has failed, or its lane is paused', () => {
    expect(waitsFor(fresh, 41)).toBe(false)
    expect(waitsFor(failing, 41)).toBe(true)
    expect(waitsFor(failing, 42)).toBe(false)
    expect(waitsFor(pausedByRequest(fresh, 9), 41)).toBe(true)
  })
})
