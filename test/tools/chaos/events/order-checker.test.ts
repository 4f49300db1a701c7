import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  OrderChecker,
  type ProcessedWebhook,
} from '../../../../tools/chaos/events/order-checker.js'

/** Webhooks of one subscription without faults: each names the sequence before it. */
const deliveries = fc
  .array(fc.integer({ min: 1, max: 5 }), { minLength: 3, maxLength: 40 })
  .map(steps => {
    let last = 0
    return steps.map((step): ProcessedWebhook => {
      const previous = last
      last += step
      return { id: `evt_${last}_m`, sequence: last, previous }
    })
  })

function check(webhooks: readonly ProcessedWebhook[]): OrderChecker {
  const checker = new OrderChecker()
  for (const webhook of webhooks) checker.add(webhook)
  return checker
}

function getCounts({ accepted, doubled, reordered, lost, unjudged, shared }: OrderChecker) {
  return { accepted, doubled, reordered, lost, unjudged, shared }
}

const noFaults = { doubled: 0, reordered: 0, lost: 0, unjudged: 0, shared: false }

test('immediate repeats are doubled and nothing else', () => {
  fc.assert(
    fc.property(deliveries, fc.infiniteStream(fc.nat(2)), (webhooks, repeats) => {
      const made = webhooks.flatMap(each => Array(1 + (repeats.next().value ?? 0)).fill(each))
      const doubled = made.length - webhooks.length
      expect(getCounts(check(made))).toEqual({ ...noFaults, accepted: webhooks.length, doubled })
    }),
  )
})

test('after a replay the repeated events are doubled and nothing else', () => {
  fc.assert(
    fc.property(deliveries, fc.nat(), (webhooks, from) => {
      const again = webhooks.slice(from % webhooks.length)
      const counts = getCounts(check([...webhooks, ...again]))
      expect(counts).toEqual({ ...noFaults, accepted: webhooks.length, doubled: again.length })
    }),
  )
})

test('each gap counts as one lost event', () => {
  fc.assert(
    fc.property(deliveries, fc.infiniteStream(fc.boolean()), (webhooks, drops) => {
      const last = webhooks.length - 1
      const isKept = webhooks.map((_, at) => at === 0 || at === last || drops.next().value !== true)
      const gaps = isKept.filter((keep, at) => !keep && isKept[at + 1] === true).length
      const arrived = webhooks.filter((_, at) => isKept[at])
      expect(getCounts(check(arrived))).toEqual({
        ...noFaults,
        accepted: arrived.length,
        lost: gaps,
      })
    }),
  )
})

test('in any order, late events are reordered and no event is lost', () => {
  const shuffled = deliveries.chain(webhooks =>
    fc.shuffledSubarray(webhooks, { minLength: webhooks.length }),
  )
  fc.assert(
    fc.property(shuffled, webhooks => {
      const sequences = webhooks.map(({ sequence = 0 }) => sequence)
      const late = sequences.filter((each, at) => sequences.slice(0, at).some(one => one > each))
      const { reordered, lost, doubled } = check(webhooks)
      expect({ reordered, lost, doubled }).toEqual({ reordered: late.length, lost: 0, doubled: 0 })
    }),
  )
})

test('webhooks without a sequence are counted by their id, and their order is unknown', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), numbers => {
      const checker = check(numbers.map(number => ({ id: String(number) })))
      const accepted = new Set(numbers).size
      const doubled = numbers.length - accepted
      expect(getCounts(checker)).toEqual({ ...noFaults, accepted, doubled, unjudged: accepted })
    }),
  )
})

test('events before the first webhook do not count as lost', () => {
  fc.assert(
    fc.property(deliveries, fc.nat(), (webhooks, from) => {
      const rest = webhooks.slice(from % webhooks.length)
      expect(getCounts(check(rest))).toEqual({ ...noFaults, accepted: rest.length })
    }),
  )
})

test('two subscriptions with one address are detected', () => {
  const one = [1, 3, 5].map(sequence => ({ id: `a${sequence}`, sequence, previous: sequence - 2 }))
  const other = [2, 4, 6].map(sequence => ({
    id: `b${sequence}`,
    sequence,
    previous: sequence - 2,
  }))
  const mixed = one.flatMap((each, at) => [each, other[at] as ProcessedWebhook])
  expect(check(mixed).shared).toBe(true)
})

test('with a window, fewer later events than the window may come first', () => {
  const arrive = (window: number, order: readonly number[]): number => {
    const checker = new OrderChecker(window)
    for (const sequence of order)
      checker.add({ id: `${sequence}`, sequence, previous: sequence - 1 })
    expect([checker.lost, checker.shared]).toEqual([0, false])
    return checker.reordered
  }
  expect(arrive(3, [2, 3, 1, 4, 6, 5])).toBe(0)
  expect(arrive(3, [2, 3, 4, 1, 5])).toBe(1)
  expect(arrive(2, [2, 3, 1, 4])).toBe(1)
  expect(arrive(1, [2, 1, 3])).toBe(1)
})
