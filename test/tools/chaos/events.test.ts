import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeLane, type LaneArrival, type LaneHistory } from '../../../tools/chaos/events/judge.js'
import { violations } from '../../../tools/chaos/events/run-events.js'
import { lanePlans, messagesPerAccount, published } from '../../../tools/chaos/events/scale.js'
import { type Flaw, type HitChance, invent } from './lane-service.js'

const chances = fc.array(
  fc.record({ worked: fc.boolean(), answered: fc.boolean(), killed: fc.boolean() }),
  { maxLength: 60 },
)
const count = fc.integer({ min: 1, max: 20 })

function kindsOf(lane: LaneHistory) {
  const { lost, reordered, strange } = judgeLane(lane)
  return { lost: lost.length, reordered: reordered.length, strange: strange.length }
}

const nothing = { lost: 0, reordered: 0, strange: 0 }

describe('a lane that keeps its promise', () => {
  test('has nothing found, and every double counted, whatever fails and whenever it is killed', () => {
    fc.assert(
      fc.property(count, chances, (events, fates) => {
        const lane = invent(events, fates, 'none')
        expect(kindsOf(lane)).toEqual(nothing)
        const { delivered, doubled } = judgeLane(lane)
        expect({ delivered, doubled }).toEqual({
          delivered: events,
          doubled: lane.arrivals.length - events,
        })
      }),
    )
  })

  test('is judged by what was acknowledged where the service tells nothing', () => {
    fc.assert(
      fc.property(count, chances, (events, fates) => {
        const { recorded, ...lane } = invent(events, fates, 'none')
        expect(kindsOf(lane)).toEqual(nothing)
      }),
    )
  })
})

const fine: HitChance = { worked: true, answered: true, killed: false }

test.each<[Flaw, HitChance[], Partial<typeof nothing>]>([
  ['cursor first', [fine, { worked: false, answered: false, killed: true }], { lost: 1 }],
  ['two in flight', [fine, { worked: false, answered: false, killed: false }], { reordered: 1 }],
  ['cursor late', [fine, { ...fine, killed: true }], { reordered: 1 }],
])('a service with the flaw "%s" is found', (flaw, fates, found) => {
  expect(kindsOf(invent(6, fates, flaw))).toMatchObject(found)
  expect(kindsOf(invent(6, fates, 'none'))).toEqual(nothing)
})

/** A history of five events, with some of it otherwise. */
function history(change: (lane: Changeable) => void): LaneHistory {
  const lane = invent(5, [], 'none')
  const copy: Changeable = {
    ...lane,
    acknowledged: [...lane.acknowledged],
    recorded: [...(lane.recorded ?? [])],
    arrivals: lane.arrivals.map(arrival => ({ ...arrival })),
  }
  change(copy)
  return copy
}

interface Changeable {
  name: string
  acknowledged: string[]
  recorded: { sequence: number; message: string }[]
  arrivals: LaneArrival[]
}

const first = (lane: Changeable): LaneArrival => lane.arrivals[0] as LaneArrival

const wrong: Record<string, [(lane: Changeable) => void, Partial<typeof nothing>]> = {
  'an event that never came': [lane => lane.arrivals.splice(2, 1), { lost: 1, strange: 1 }],
  'the first event': [lane => lane.arrivals.shift(), { lost: 1 }],
  'the last event': [lane => lane.arrivals.pop(), { lost: 1 }],
  'every event': [lane => lane.arrivals.splice(0), { lost: 5 }],
  'an event that was acknowledged and not recorded': [
    lane => lane.acknowledged.push('m9'),
    { lost: 1 },
  ],
  'two events that changed places': [
    lane => lane.arrivals.splice(1, 0, ...lane.arrivals.splice(2, 1)),
    { reordered: 1 },
  ],
  'an event that came again after a later one': [
    lane => lane.arrivals.push(first(lane)),
    { reordered: 1 },
  ],
  'an event nobody made': [
    lane => lane.arrivals.push({ id: 'x', message: 'ghost', sequence: 99, previous: 15 }),
    { strange: 1 },
  ],
  'an event under two identifiers': [
    lane => lane.arrivals.splice(0, 0, { ...first(lane), id: 'other' }),
    { strange: 1 },
  ],
  'an event whose retry names another one before it': [
    lane => lane.arrivals.splice(0, 0, { ...first(lane), previous: 7 }),
    { strange: 1 },
  ],
  'an event that denies the one before it': [
    lane => {
      lane.arrivals[2] = { ...(lane.arrivals[2] as LaneArrival), previous: 3 }
    },
    { strange: 1 },
  ],
  'an event recorded twice': [
    lane => lane.recorded.push({ sequence: 99, message: 'm0' }),
    { strange: 2 },
  ],
  'an event with another sequence than the recorded one': [
    lane => {
      lane.recorded[4] = { sequence: 99, message: 'm4' }
    },
    { strange: 1 },
  ],
}

test.each(Object.entries(wrong))('%s is found', (_, [change, found]) => {
  expect(kindsOf(history(change))).toEqual({ ...nothing, ...found })
})

test('everything but a double goes against the requirements, and so does a fault that did not happen', () => {
  const found = { delivered: 5, doubled: 3, lost: ['a'], reordered: ['b'], strange: ['c'] }
  const sentences = violations([found], { absent: ['a kill'] })
  expect(sentences).toEqual(['a', 'b', 'c', 'did not happen: a kill'])
})

test('the published run has 50 subscriptions, 100,000 events and 20 kills', () => {
  const accounts = lanePlans(published)
  expect(accounts.flat()).toHaveLength(50)
  expect(2 * messagesPerAccount(published) * accounts.length).toBeGreaterThanOrEqual(100_000)
  expect(published.kills).toBe(20)
})
