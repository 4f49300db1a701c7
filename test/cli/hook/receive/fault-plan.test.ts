import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  FaultPlan,
  type FaultShares,
  type PlannedReply,
} from '../../../../src/cli/hook/receive/fault-plan.js'

const calm: FaultShares = { fail: 0, reset: 0, delay: 0 }

function fates(
  shares: Partial<FaultShares>,
  seed: number,
  count: number,
  lane = 'a',
): PlannedReply[] {
  const plan = new FaultPlan({ ...calm, ...shares }, seed)
  return Array.from({ length: count }, () => plan.next(lane))
}

test('nothing goes wrong where nothing is to, and everything where everything is', () => {
  const isFine = ({ worked, status }: PlannedReply): boolean => worked && status === 200
  expect(fates({}, 7, 500).every(isFine)).toBe(true)
  expect(fates({ fail: 1 }, 7, 500).some(({ worked }) => worked)).toBe(false)
  expect(fates({ reset: 1 }, 7, 500).every(({ status }) => status === null)).toBe(true)
})

test('shares come out as asked for, resets half of them after the work', () => {
  const made = fates({ fail: 0.1, reset: 0.2 }, 7, 20_000)
  const part = (of: (fate: PlannedReply) => boolean): number => made.filter(of).length / made.length
  expect(part(({ status }) => status !== null && status !== 200)).toBeCloseTo(0.1, 1.7)
  expect(part(({ status }) => status === null)).toBeCloseTo(0.2, 1.7)
  expect(part(({ status, worked }) => status === null && worked)).toBeCloseTo(0.1, 1.7)
  for (const status of [500, 503, 429])
    expect(part(f => f.status === status)).toBeGreaterThan(0.025)
})

test('delays stay within half of what was asked for, to either side', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 10_000 }), (seed, delay) => {
      for (const fate of fates({ delay }, seed, 20)) {
        expect(fate.delay).toBeGreaterThanOrEqual(delay / 2)
        expect(fate.delay).toBeLessThanOrEqual(delay * 1.5)
      }
    }),
  )
})

test('a lane has its own fates, whatever comes on others in between', () => {
  const shares = { fail: 0.4, reset: 0.2, delay: 10 }
  const plan = new FaultPlan(shares, 7)
  const mixed = Array.from({ length: 50 }, () => [plan.next('a'), plan.next('b')] as const)
  expect(mixed.map(([a]) => a)).toEqual(fates(shares, 7, 50, 'a'))
  expect(mixed.map(([, b]) => b)).toEqual(fates(shares, 7, 50, 'b'))
  expect(fates(shares, 7, 50, 'a')).not.toEqual(fates(shares, 7, 50, 'b'))
  expect(fates(shares, 7, 50)).not.toEqual(fates(shares, 8, 50))
})
