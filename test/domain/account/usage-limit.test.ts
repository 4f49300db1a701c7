import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addUses,
  formatUsageLimit,
  getNextUseTime,
  parseUsageLimit,
  type RecentUses,
  removeUses,
  type UsageLimit,
} from '../../../src/domain/account/usage-limit.js'

test.each([
  ['10/h', '10/h'],
  ['1/s', '1/s'],
  ['5/m', '5/min'],
  ['99999/d', '99999/d'],
  ['10 / h', '10/h'],
])('%s is the limit %s', (text, expected) => {
  const rate = parseUsageLimit(text)
  expect(rate && formatUsageLimit(rate)).toBe(expected)
})

test.each(['', '10', '0/h', '1.5/h', '-1/h', '100000/d', '10/w', '10/constructor'])(
  '%j is no limit',
  text => expect(parseUsageLimit(text)).toBeUndefined(),
)

const minute = 60_000
const rate: UsageLimit = { uses: 3, per: 'min' }

/** The times of those attempts that were allowed. */
function used(
  times: readonly number[],
  limit: UsageLimit,
): { times: number[]; recent: RecentUses } {
  let recent: RecentUses = []
  const through: number[] = []
  for (const now of times) {
    if (getNextUseTime(recent, limit, now) > now) continue
    recent = addUses(recent, limit, now)
    through.push(now)
  }
  return { times: through, recent }
}

test('a use is allowed again when the first of the period is a period old', () => {
  const { times, recent } = used([0, 10_000, 20_000, 30_000, 60_000, 65_000], rate)
  expect(times).toEqual([0, 10_000, 20_000, 60_000])
  expect(getNextUseTime(recent, rate, 65_000)).toBe(70_000)
})

test('the uses of a slot count from its last use on', () => {
  const { recent } = used([0, 100, 500], rate)
  expect(recent).toEqual([[500, 3]])
  expect(getNextUseTime(recent, rate, 60_000)).toBe(60_500)
})

test('a clock that is set back makes no wait longer than the period', () => {
  const { recent } = used([1e9, 1e9, 1e9], rate)
  expect(getNextUseTime(recent, rate, 1000)).toBe(1000 + minute)
})

const gap = fc.oneof(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 0, max: 20_000 }))
const gaps = fc.array(gap, { maxLength: 300, size: 'max' })
const limits = fc.record({
  uses: fc.constantFrom(1, 2, 3, 5, 40),
  per: fc.constant('min' as const),
})

function sums(gaps: readonly number[]): number[] {
  let now = 0
  return gaps.map(gap => {
    now += gap
    return now
  })
}

test('no period ever has more uses than the limit', () => {
  fc.assert(
    fc.property(gaps, limits, (steps, limit) => {
      let [now, recent]: [number, RecentUses] = [0, []]
      const times = steps.map(step => {
        now = getNextUseTime(recent, limit, now + step)
        recent = addUses(recent, limit, now)
        return now
      })
      for (const [at, time] of times.entries()) {
        const before = times[at - limit.uses] ?? Number.NEGATIVE_INFINITY
        expect(time - before).toBeGreaterThanOrEqual(minute)
      }
      expect(recent.length).toBeLessThanOrEqual(101)
    }),
  )
})

test('the next use is allowed exactly at the time of getNextUseTime', () => {
  fc.assert(
    fc.property(gaps, limits, (steps, limit) => {
      const times = sums(steps)
      const { recent } = used(times, limit)
      const now = times.at(-1) ?? 0
      const next = getNextUseTime(recent, limit, now)
      expect(getNextUseTime(recent, limit, next)).toBe(next)
      if (next > now) expect(getNextUseTime(recent, limit, next - 1)).toBe(next)
      expect(next).toBeLessThanOrEqual(now + minute)
    }),
  )
})

test('several uses at once are allowed when there is room for all of them', () => {
  const recent = addUses([], rate, 1000, 2)
  expect(getNextUseTime(recent, rate, 2000, 1)).toBe(2000)
  expect(getNextUseTime(recent, rate, 2000, 2)).toBe(1000 + minute)
  expect(getNextUseTime(addUses(recent, rate, 5000), rate, 6000, 3)).toBe(5000 + minute)
})

test('uses that are removed count no more, also if later ones moved their slot', () => {
  const first = addUses([], rate, 1000)
  expect(removeUses(first, 1000)).toEqual([])
  const both = addUses(first, rate, 1100, 2)
  expect(removeUses(both, 1000)).toEqual([[1100, 2]])
  expect(removeUses(both, 1100, 2)).toEqual([[1100, 1]])
  const later = addUses(first, rate, 9000)
  expect(removeUses(later, 9000)).toEqual(first)
  expect(removeUses(later, 1000)).toEqual([[9000, 1]])
})
