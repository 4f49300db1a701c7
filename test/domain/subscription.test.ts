import { describe, expect, test } from 'vitest'
import { hitFailed, hitSucceeded, type Subscription } from '../../src/domain/subscription.js'

const hour = 60 * 60 * 1000

const fresh: Subscription = {
  id: 's',
  account: 'a',
  event: 'message.create',
  url: 'http://h/',
  method: 'POST',
  post: false,
  triggered: 7,
  createdAt: 0,
  cursor: 40,
}

describe('hitSucceeded', () => {
  test('a first hit counts and moves on', () => {
    expect(hitSucceeded(fresh, 41)).toEqual({ ...fresh, triggered: 8, cursor: 41 })
  })

  test('a repeated hit was counted before', () => {
    const failed = hitFailed(fresh, 41, 1000)
    expect(hitSucceeded(failed, 41)).toEqual({ ...fresh, triggered: 8, cursor: 41 })
  })

  test('a failure of an earlier event is forgotten', () => {
    const failed = hitFailed(fresh, 41, 1000)
    expect(hitSucceeded(failed, 42)).toEqual({ ...fresh, triggered: 9, cursor: 42 })
  })
})

describe('hitFailed', () => {
  test('counts the event once and keeps its place', () => {
    const once = hitFailed(fresh, 41, 1000)
    const trying = { seq: 41, attempts: 1, firstAt: 1000, retryAt: 2000 }
    expect(once).toEqual({ ...fresh, triggered: 8, trying })
    expect(hitFailed(once, 41, 2500)).toEqual({
      ...fresh,
      triggered: 8,
      trying: { seq: 41, attempts: 2, firstAt: 1000, retryAt: 7500 },
    })
  })

  test('another event starts anew', () => {
    const trying = { seq: 42, attempts: 1, firstAt: 5000, retryAt: 6000 }
    expect(hitFailed(hitFailed(fresh, 41, 1000), 42, 5000)).toMatchObject({ triggered: 9, trying })
  })

  test('waits 1 s, 5 s, 30 s, 2 m, 10 m, 30 m, 1 h, then hourly', () => {
    const waits: number[] = []
    let [subscription, now] = [fresh, 0]
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      subscription = hitFailed(subscription, 41, now)
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
  ])('%i ms after the first hit it is tried again: %s', (now, again) => {
    const trying = { seq: 41, attempts: 20, firstAt: 0, retryAt: now }
    const after = hitFailed({ ...fresh, trying }, 41, now)
    expect(after.trying !== undefined).toBe(again)
    expect(after.cursor).toBe(again ? 40 : 41)
  })
})
