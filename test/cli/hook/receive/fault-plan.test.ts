import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  FaultPlan,
  type FaultShares,
  type PlannedReply,
} from '../../../../src/cli/hook/receive/fault-plan.js'

const noFaults: FaultShares = { fail: 0, reset: 0, delay: 0 }

function planReplies(
  shares: Partial<FaultShares>,
  seed: number,
  count: number,
  address = 'a',
): PlannedReply[] {
  const plan = new FaultPlan({ ...noFaults, ...shares }, seed)
  return Array.from({ length: count }, () => plan.planNext(address))
}

test('shares of 0 give only successes, and shares of 1 only faults', () => {
  const isOk = ({ isProcessed, status }: PlannedReply): boolean => isProcessed && status === 200
  expect(planReplies({}, 7, 500).every(isOk)).toBe(true)
  expect(planReplies({ fail: 1 }, 7, 500).some(({ isProcessed }) => isProcessed)).toBe(false)
  expect(planReplies({ reset: 1 }, 7, 500).every(({ status }) => status === null)).toBe(true)
})

test('many replies have the requested shares, and half of the resets are processed', () => {
  const replies = planReplies({ fail: 0.1, reset: 0.2 }, 7, 20_000)
  const part = (is: (reply: PlannedReply) => boolean): number =>
    replies.filter(is).length / replies.length
  expect(part(({ status }) => status !== null && status !== 200)).toBeCloseTo(0.1, 1.7)
  expect(part(({ status }) => status === null)).toBeCloseTo(0.2, 1.7)
  expect(part(({ status, isProcessed }) => status === null && isProcessed)).toBeCloseTo(0.1, 1.7)
  for (const status of [500, 503, 429])
    expect(part(reply => reply.status === status)).toBeGreaterThan(0.025)
})

test('delays differ from the mean by at most half of it', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 10_000 }), (seed, delay) => {
      for (const reply of planReplies({ delay }, seed, 20)) {
        expect(reply.delay).toBeGreaterThanOrEqual(delay / 2)
        expect(reply.delay).toBeLessThanOrEqual(delay * 1.5)
      }
    }),
  )
})

test('the replies of an address do not depend on other addresses', () => {
  const shares = { fail: 0.4, reset: 0.2, delay: 10 }
  const plan = new FaultPlan(shares, 7)
  const mixed = Array.from({ length: 50 }, () => [plan.planNext('a'), plan.planNext('b')] as const)
  expect(mixed.map(([a]) => a)).toEqual(planReplies(shares, 7, 50, 'a'))
  expect(mixed.map(([, b]) => b)).toEqual(planReplies(shares, 7, 50, 'b'))
  expect(planReplies(shares, 7, 50, 'a')).not.toEqual(planReplies(shares, 7, 50, 'b'))
  expect(planReplies(shares, 7, 50)).not.toEqual(planReplies(shares, 8, 50))
})
