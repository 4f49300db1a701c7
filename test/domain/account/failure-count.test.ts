import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addFailure,
  type FailureCount,
  getCurrentFailures,
  getThrottleDelay,
  getThrottleWait,
  removeFailure,
} from '../../../src/domain/account/failure-count.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const limits = { free: 10, first: second, max: minute }

test('a delay is finite for any number of failures', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1e9 }), failures => {
      const delay = getThrottleDelay(failures, limits)
      expect(delay).toBeGreaterThanOrEqual(failures < 10 ? 0 : second)
      expect(delay).toBeLessThanOrEqual(minute)
      expect(getThrottleDelay(failures + 1, limits)).toBeGreaterThanOrEqual(delay)
    }),
  )
})

test('failures are forgotten after a time without one', () => {
  const count = { failures: 3, last: 1000 }
  expect(getCurrentFailures(count, 999 + hour, hour)).toBe(count)
  expect(getCurrentFailures(count, 1000 + hour, hour).failures).toBe(0)
  expect(getCurrentFailures(undefined, 1000, hour)).toEqual({ failures: 0, last: 1000 })
})

test('a clock that was set back makes no wait longer', () => {
  const count = getCurrentFailures({ failures: 11, last: 1e9 }, 1000, hour)
  expect(getThrottleWait(count, limits, 1000)).toBe(2 * second)
})

test('a removed failure leaves the count as it was, or the failures after it', () => {
  const before = { failures: 2, last: 1000 }
  const after = addFailure(before, 2000)
  expect(removeFailure(after, before, after)).toEqual(before)
  expect(removeFailure(addFailure(after, 3000), before, after)).toEqual({ failures: 3, last: 3000 })
})

test('no failures are left after the only one is removed', () => {
  const after: FailureCount = { failures: 1, last: 1000 }
  expect(removeFailure(after, undefined, after)).toBeNull()
  expect(removeFailure(undefined, undefined, after)).toBeNull()
})
