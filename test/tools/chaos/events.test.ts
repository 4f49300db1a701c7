import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Arrival,
  judgeSubscription,
  type SubscriptionHistory,
} from '../../../tools/chaos/events/judge-subscription.js'
import { violations } from '../../../tools/chaos/events/run-events.js'
import {
  messagesPerAccount,
  planSubscriptions,
  published,
} from '../../../tools/chaos/events/scale.js'
import { type Flaw, simulate, type WebhookChance } from './simulated-relay.js'

const anyChances = fc.array(
  fc.record({ processed: fc.boolean(), answered: fc.boolean(), killed: fc.boolean() }),
  { maxLength: 60 },
)
const count = fc.integer({ min: 1, max: 20 })

function kindsOf(history: SubscriptionHistory) {
  const { lost, reordered, strange } = judgeSubscription(history)
  return { lost: lost.length, reordered: reordered.length, strange: strange.length }
}

const nothing = { lost: 0, reordered: 0, strange: 0 }

describe('the deliveries of a correct relay', () => {
  test('have no findings and all doubles counted, with any faults and kills', () => {
    fc.assert(
      fc.property(count, anyChances, (events, chances) => {
        const history = simulate(events, chances, 'none')
        expect(kindsOf(history)).toEqual(nothing)
        const { delivered, doubled } = judgeSubscription(history)
        expect({ delivered, doubled }).toEqual({
          delivered: events,
          doubled: history.arrivals.length - events,
        })
      }),
    )
  })

  test('are judged by acknowledged events if the relay lists none', () => {
    fc.assert(
      fc.property(count, anyChances, (events, chances) => {
        const { recorded, ...history } = simulate(events, chances, 'none')
        expect(kindsOf(history)).toEqual(nothing)
      }),
    )
  })
})

const fine: WebhookChance = { processed: true, answered: true, killed: false }

test.each<[Flaw, WebhookChance[], Partial<typeof nothing>]>([
  ['cursor first', [fine, { processed: false, answered: false, killed: true }], { lost: 1 }],
  ['two in flight', [fine, { processed: false, answered: false, killed: false }], { reordered: 1 }],
  ['cursor late', [fine, { ...fine, killed: true }], { reordered: 1 }],
])('the flaw "%s" is found', (flaw, chances, found) => {
  expect(kindsOf(simulate(6, chances, flaw))).toMatchObject(found)
  expect(kindsOf(simulate(6, chances, 'none'))).toEqual(nothing)
})

/** A history of five events with a change. */
function history(change: (history: Changeable) => void): SubscriptionHistory {
  const history = simulate(5, [], 'none')
  const copy: Changeable = {
    ...history,
    acknowledged: [...history.acknowledged],
    recorded: [...(history.recorded ?? [])],
    arrivals: history.arrivals.map(arrival => ({ ...arrival })),
  }
  change(copy)
  return copy
}

interface Changeable {
  name: string
  acknowledged: string[]
  recorded: { sequence: number; message: string }[]
  arrivals: Arrival[]
}

const first = (history: Changeable): Arrival => history.arrivals[0] as Arrival

const wrong: Record<string, [(history: Changeable) => void, Partial<typeof nothing>]> = {
  'an event that never came': [history => history.arrivals.splice(2, 1), { lost: 1, strange: 1 }],
  'the first event': [history => history.arrivals.shift(), { lost: 1 }],
  'the last event': [history => history.arrivals.pop(), { lost: 1 }],
  'all events': [history => history.arrivals.splice(0), { lost: 5 }],
  'an acknowledged event that was not recorded': [
    history => history.acknowledged.push('m9'),
    { lost: 1 },
  ],
  'two events in another order': [
    history => history.arrivals.splice(1, 0, ...history.arrivals.splice(2, 1)),
    { reordered: 1 },
  ],
  'an event that came again after a later one': [
    history => history.arrivals.push(first(history)),
    { reordered: 1 },
  ],
  'an unknown event': [
    history => history.arrivals.push({ id: 'x', message: 'ghost', sequence: 99, previous: 15 }),
    { strange: 1 },
  ],
  'an event under two identifiers': [
    history => history.arrivals.splice(0, 0, { ...first(history), id: 'other' }),
    { strange: 1 },
  ],
  'an event whose retry names another previous event': [
    history => history.arrivals.splice(0, 0, { ...first(history), previous: 7 }),
    { strange: 1 },
  ],
  'an event that names a wrong previous event': [
    history => {
      history.arrivals[2] = { ...(history.arrivals[2] as Arrival), previous: 3 }
    },
    { strange: 1 },
  ],
  'an event recorded twice': [
    history => history.recorded.push({ sequence: 99, message: 'm0' }),
    { strange: 2 },
  ],
  'an event with another sequence than the recorded one': [
    history => {
      history.recorded[4] = { sequence: 99, message: 'm4' }
    },
    { strange: 1 },
  ],
}

test.each(Object.entries(wrong))('%s is found', (_, [change, found]) => {
  expect(kindsOf(history(change))).toEqual({ ...nothing, ...found })
})

test('every finding but a double, and a fault that did not happen, is a violation', () => {
  const found = { delivered: 5, doubled: 3, lost: ['a'], reordered: ['b'], strange: ['c'] }
  const sentences = violations([found], { absent: ['a kill'] })
  expect(sentences).toEqual(['a', 'b', 'c', expect.stringContaining('a kill')])
})

test('the published run has 50 subscriptions, 100,000 events and 20 kills', () => {
  const accounts = planSubscriptions(published)
  expect(accounts.flat()).toHaveLength(50)
  expect(2 * messagesPerAccount(published) * accounts.length).toBeGreaterThanOrEqual(100_000)
  expect(published.kills).toBe(20)
})
