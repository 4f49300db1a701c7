import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  OrderChecker,
  type ProcessedWebhook,
} from '../../../../src/cli/hook/receive/order-checker.js'

/** What one subscription delivers when nothing goes wrong: sequences with holes, each naming the one before it. */
const lane = fc
  .array(fc.integer({ min: 1, max: 5 }), { minLength: 3, maxLength: 40 })
  .map(steps => {
    let last = 0
    return steps.map((step): ProcessedWebhook => {
      const previous = last
      last += step
      return { id: `evt_${last}_m`, sequence: last, previous }
    })
  })

function judged(hits: readonly ProcessedWebhook[]): OrderChecker {
  const ledger = new OrderChecker()
  for (const hit of hits) ledger.add(hit)
  return ledger
}

function countsOf({ accepted, doubled, reordered, lost, unjudged, shared }: OrderChecker) {
  return { accepted, doubled, reordered, lost, unjudged, shared }
}

const calm = { doubled: 0, reordered: 0, lost: 0, unjudged: 0, shared: false }

test('repeats at once are doubles and nothing else', () => {
  fc.assert(
    fc.property(lane, fc.infiniteStream(fc.nat(2)), (hits, repeats) => {
      const made = hits.flatMap(hit => Array(1 + (repeats.next().value ?? 0)).fill(hit))
      const doubled = made.length - hits.length
      expect(countsOf(judged(made))).toEqual({ ...calm, accepted: hits.length, doubled })
    }),
  )
})

test('a replay from anywhere doubles what comes again and nothing else', () => {
  fc.assert(
    fc.property(lane, fc.nat(), (hits, from) => {
      const again = hits.slice(from % hits.length)
      const counts = countsOf(judged([...hits, ...again]))
      expect(counts).toEqual({ ...calm, accepted: hits.length, doubled: again.length })
    }),
  )
})

test('each gap is one lost, however wide', () => {
  fc.assert(
    fc.property(lane, fc.infiniteStream(fc.boolean()), (hits, drops) => {
      const last = hits.length - 1
      const kept = hits.map((_, at) => at === 0 || at === last || drops.next().value !== true)
      const gaps = kept.filter((keep, at) => !keep && kept[at + 1] === true).length
      const arrived = hits.filter((_, at) => kept[at])
      expect(countsOf(judged(arrived))).toEqual({ ...calm, accepted: arrived.length, lost: gaps })
    }),
  )
})

test('in whatever order all of them come, late ones are reordered and none is lost', () => {
  const shuffled = lane.chain(hits => fc.shuffledSubarray(hits, { minLength: hits.length }))
  fc.assert(
    fc.property(shuffled, hits => {
      const sequences = hits.map(({ sequence = 0 }) => sequence)
      const late = sequences.filter((each, at) => sequences.slice(0, at).some(one => one > each))
      const { reordered, lost, doubled } = judged(hits)
      expect({ reordered, lost, doubled }).toEqual({ reordered: late.length, lost: 0, doubled: 0 })
    }),
  )
})

test('hits without a sequence are counted by their identifier, and nothing is said of the rest', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), numbers => {
      const ledger = judged(numbers.map(number => ({ id: String(number) })))
      const accepted = new Set(numbers).size
      const doubled = numbers.length - accepted
      expect(countsOf(ledger)).toEqual({ ...calm, accepted, doubled, unjudged: accepted })
    }),
  )
})

test('a receiver that comes late misses nothing of what was before it', () => {
  fc.assert(
    fc.property(lane, fc.nat(), (hits, from) => {
      const rest = hits.slice(from % hits.length)
      expect(countsOf(judged(rest))).toEqual({ ...calm, accepted: rest.length })
    }),
  )
})

test('two subscriptions at one address are seen', () => {
  const one = [1, 3, 5].map(sequence => ({ id: `a${sequence}`, sequence, previous: sequence - 2 }))
  const other = [2, 4, 6].map(sequence => ({
    id: `b${sequence}`,
    sequence,
    previous: sequence - 2,
  }))
  const mixed = one.flatMap((hit, at) => [hit, other[at] as ProcessedWebhook])
  expect(judged(mixed).shared).toBe(true)
})
