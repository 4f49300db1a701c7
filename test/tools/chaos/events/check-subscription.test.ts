import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkSubscription,
  type ProcessedEvent,
  type SubscriptionHistory,
} from '../../../../tools/chaos/events/check-subscription.js'
import { listEventViolations } from '../../../../tools/chaos/events/run-events.js'
import {
  countMessagesPerAccount,
  fullScale,
  planSubscriptions,
} from '../../../../tools/chaos/events/scale.js'
import { type DeliveryChance, type Flaw, simulateDeliveries } from './flawed-relay.js'

const chances = fc.array(
  fc.record({ processed: fc.boolean(), answered: fc.boolean(), killed: fc.boolean() }),
  { maxLength: 60 },
)
const count = fc.integer({ min: 1, max: 20 })

function countFindings(history: SubscriptionHistory) {
  const { lost, reordered, unexplained } = checkSubscription(history)
  return { lost: lost.length, reordered: reordered.length, unexplained: unexplained.length }
}

const nothing = { lost: 0, reordered: 0, unexplained: 0 }

describe('a correct relay', () => {
  test('has no findings, and repeated webhooks are counted, after any failures and kills', () => {
    fc.assert(
      fc.property(count, chances, (events, chances) => {
        const history = simulateDeliveries(events, chances, 'none')
        expect(countFindings(history)).toEqual(nothing)
        const { delivered, doubled } = checkSubscription(history)
        expect({ delivered, doubled }).toEqual({
          delivered: events,
          doubled: history.arrivals.length - events,
        })
      }),
    )
  })

  test('is compared with the acknowledged events if it lists none', () => {
    fc.assert(
      fc.property(count, chances, (events, chances) => {
        const { recorded, ...history } = simulateDeliveries(events, chances, 'none')
        expect(countFindings(history)).toEqual(nothing)
      }),
    )
  })
})

const goodDelivery: DeliveryChance = { processed: true, answered: true, killed: false }

test.each<[Flaw, DeliveryChance[], Partial<typeof nothing>]>([
  [
    'cursor first',
    [goodDelivery, { processed: false, answered: false, killed: true }],
    { lost: 1 },
  ],
  [
    'two in flight',
    [goodDelivery, { processed: false, answered: false, killed: false }],
    { reordered: 1 },
  ],
  ['cursor late', [goodDelivery, { ...goodDelivery, killed: true }], { reordered: 1 }],
])('the flaw "%s" of a relay is found', (flaw, chances, found) => {
  expect(countFindings(simulateDeliveries(6, chances, flaw))).toMatchObject(found)
  expect(countFindings(simulateDeliveries(6, chances, 'none'))).toEqual(nothing)
})

/** Five events in order, with one change. */
function createHistory(change: (history: MutableHistory) => void): SubscriptionHistory {
  const history = simulateDeliveries(5, [], 'none')
  const copy: MutableHistory = {
    ...history,
    acknowledged: [...history.acknowledged],
    recorded: [...(history.recorded ?? [])],
    arrivals: history.arrivals.map(arrival => ({ ...arrival })),
  }
  change(copy)
  return copy
}

interface MutableHistory {
  name: string
  acknowledged: string[]
  recorded: { sequence: number; message: string }[]
  arrivals: ProcessedEvent[]
}

const first = (history: MutableHistory): ProcessedEvent => history.arrivals[0] as ProcessedEvent

const wrong: Record<string, [(history: MutableHistory) => void, Partial<typeof nothing>]> = {
  'a missing event': [history => history.arrivals.splice(2, 1), { lost: 1, unexplained: 1 }],
  'a missing first event': [history => history.arrivals.shift(), { lost: 1 }],
  'a missing last event': [history => history.arrivals.pop(), { lost: 1 }],
  'a missing delivery of every event': [history => history.arrivals.splice(0), { lost: 5 }],
  'an event that was acknowledged and not recorded': [
    history => history.acknowledged.push('m9'),
    { lost: 1 },
  ],
  'two events in the wrong order': [
    history => history.arrivals.splice(1, 0, ...history.arrivals.splice(2, 1)),
    { reordered: 1 },
  ],
  'a repeated event after a later one': [
    history => history.arrivals.push(first(history)),
    { reordered: 1 },
  ],
  'an event without a cause': [
    history => history.arrivals.push({ id: 'x', message: 'ghost', sequence: 99, previous: 15 }),
    { unexplained: 1 },
  ],
  'an event under two identifiers': [
    history => history.arrivals.splice(0, 0, { ...first(history), id: 'other' }),
    { unexplained: 1 },
  ],
  'a retry with another webhook-previous': [
    history => history.arrivals.splice(0, 0, { ...first(history), previous: 7 }),
    { unexplained: 1 },
  ],
  'an event whose webhook-previous skips an event': [
    history => {
      history.arrivals[2] = { ...(history.arrivals[2] as ProcessedEvent), previous: 3 }
    },
    { unexplained: 1 },
  ],
  'an event recorded twice': [
    history => history.recorded.push({ sequence: 99, message: 'm0' }),
    { unexplained: 2 },
  ],
  'an event with another sequence than the recorded one': [
    history => {
      history.recorded[4] = { sequence: 99, message: 'm4' }
    },
    { unexplained: 1 },
  ],
}

test.each(Object.entries(wrong))('%s is a finding', (_, [change, found]) => {
  expect(countFindings(createHistory(change))).toEqual({ ...nothing, ...found })
})

test('every finding but a repeated webhook is a violation, and so is a missed fault', () => {
  const found = { delivered: 5, doubled: 3, lost: ['a'], reordered: ['b'], unexplained: ['c'] }
  const sentences = listEventViolations([found], { missed: ['a kill'] })
  expect(sentences).toEqual(['a', 'b', 'c', 'did not happen: a kill'])
})

test('the full run has 50 subscriptions, 100,000 events and 20 kills', () => {
  const accounts = planSubscriptions(fullScale)
  expect(accounts.flat()).toHaveLength(50)
  expect(2 * countMessagesPerAccount(fullScale) * accounts.length).toBeGreaterThanOrEqual(100_000)
  expect(fullScale.kills).toBe(20)
})
