import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  activityPattern,
  activitySlot,
  listActivity,
  mergeActivities,
  observeActivity,
} from '../../../src/domain/phone/phone-activity.js'

const start = Date.UTC(2030, 5, 15, 12)
const first = start / activitySlot
const day = 24 * 60 * 60 * 1000

type Observation = readonly [slot: number, letter: 'a' | 'p' | 'q']

function observeAll(observations: readonly Observation[]): string | undefined {
  return observations.reduce<string | undefined>(
    (activity, [slot, letter]) => observeActivity(activity, start + slot * activitySlot, letter),
    undefined,
  )
}

test('the activity of a phone has a run for each state', () => {
  const all: Observation[] = [
    [0, 'a'],
    [1, 'p'],
    [1, 'a'],
    [2, 'q'],
    [2, 'p'],
    [6, 'q'],
  ]
  expect(observeAll(all)).toBe(`${first} a2 p1 -3 q1`)
})

test('nothing is the state of a phone that was never seen', () => {
  const span = { state: 'none', from: start - day, until: start }
  expect(listActivity(undefined, start)).toEqual([span])
})

test('the states of the last day are listed without gaps', () => {
  const now = start + 3 * activitySlot + 1000
  const spans = listActivity(`${first - 400} a300 -98 q2 a3`, now)
  expect(spans.map(({ state }) => state)).toEqual(['active', 'none', 'quiet', 'active', 'none'])
  expect(spans.slice(1).map(({ from }) => from)).toEqual(spans.slice(0, -1).map(each => each.until))
  expect(spans[0]?.from).toBe(now - day)
  expect(spans.at(-1)).toEqual({ state: 'none', from: start + 3 * activitySlot, until: now })
})

const observation = fc.tuple(fc.nat(900), fc.constantFrom<('a' | 'p' | 'q')[]>('a', 'p', 'q'))

test('nodes that see parts of the activity have all of it together, of one day', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(observation, fc.nat(2)), { minLength: 1 }), all => {
      const nodes = [0, 1, 2].map(node =>
        observeAll(all.flatMap(([each, of]) => (of === node ? [each] : []))),
      )
      const merged = nodes.reduce((a, b) => (b === undefined ? a : mergeActivities(a, b)))
      expect(merged).toBe(observeAll(all.map(([each]) => each)))
      expect(merged).toMatch(activityPattern)
      const last = Math.max(...all.map(([[slot]]) => slot))
      const spans = listActivity(merged, start + last * activitySlot + 1)
      expect((spans.at(-1)?.until ?? 0) - (spans[0]?.from ?? 0)).toBe(day)
      expect(spans.at(-1)?.state).not.toBe('none')
    }),
  )
})
