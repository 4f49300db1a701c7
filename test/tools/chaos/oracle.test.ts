import { describe, expect, test } from 'vitest'
import type { History } from '../../../tools/chaos/oracle/history.js'
import { type Findings, judge } from '../../../tools/chaos/oracle/judge.js'
import { violations } from '../../../tools/chaos/result.js'
import { arrivalsOf, goodHistory, ids, listedAs, replaced, sendOf } from './histories.js'

const clean = { accepted: 5, sent: 5, repeated: 0, left: 0, needlessly: [] }
const nothing = { lost: [], doubled: [], missing: [], disordered: [], strange: [] }
const incoming = { texts: 0, lost: [], doubled: [], disordered: [] }

/** The number of findings of each kind that has some. */
function countsOf(findings: Findings): Record<string, number> {
  const kinds = Object.keys(nothing) as (keyof typeof nothing)[]
  const counts = kinds.map(kind => [kind, findings[kind].length] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

test('nothing is found in a history without faults', () => {
  expect(judge(goodHistory())).toEqual({ ...clean, ...nothing, incoming })
})

const good = goodHistory()
const sentTwice = [...good.sends, sendOf('b')]
const notSent = replaced(good.sends, 2)
const both = (order: readonly string[]): History['arrivals'] =>
  arrivalsOf({ 'message.sent': order, 'message.sent.query': order })

const wrong: Record<string, [Partial<History>, Record<string, number>]> = {
  'a sent message that is not in the driver file': [{ sends: notSent }, { lost: 1 }],
  'a message that stays waiting': [
    {
      sends: notSent,
      listed: replaced(good.listed, 2, listedAs('c', 'N', 2)),
      arrivals: both(['a', 'b', 'd', 'e']),
    },
    { lost: 1, strange: 1 },
  ],
  'a message that is missing': [
    { listed: replaced(good.listed, 2), arrivals: both(['a', 'b', 'd', 'e']) },
    { lost: 1 },
  ],
  'a message that was deleted without being sent': [
    {
      sends: notSent,
      listed: replaced(good.listed, 2, listedAs('c', 'D', 2)),
      arrivals: both(['a', 'b', 'd', 'e']),
    },
    { lost: 1 },
  ],
  'a text that was sent twice': [{ sends: sentTwice, serial: [] }, { doubled: 1 }],
  'a text that was accepted twice and sent under both identifiers': [
    {
      sends: [...good.sends, { ...sendOf('f'), text: 'text e' }],
      listed: [...good.listed, { ...listedAs('f', 'S', 4), text: 'text e' }],
    },
    { doubled: 1, strange: 2 },
  ],
  'a creation without its webhook': [
    { arrivals: arrivalsOf({ 'message.create': ['a', 'b', 'd', 'e'] }) },
    { missing: 1 },
  ],
  'a sent message without its webhook to one of two subscriptions': [
    { arrivals: arrivalsOf({ 'message.sent.query': ['a', 'b', 'c', 'd'] }) },
    { missing: 1 },
  ],
  'a failed message without its webhook': [
    {
      sends: notSent,
      listed: replaced(good.listed, 2, listedAs('c', 'F', 2)),
      arrivals: both(['a', 'b', 'd', 'e']),
    },
    { missing: 1 },
  ],
  'two creations in another order': [
    { arrivals: arrivalsOf({ 'message.create': ['a', 'c', 'b', 'd', 'e'] }) },
    { disordered: 1 },
  ],
  'two creations in another order, in the list as well': [
    {
      listed: [0, 2, 1, 3, 4].map((from, at) => listedAs(ids[from] ?? '', 'S', at)),
      arrivals: arrivalsOf({ 'message.create': ['a', 'c', 'b', 'd', 'e'] }),
      serial: [],
      steady: false,
    },
    { disordered: 1 },
  ],
  'two sends of one phone in another order': [
    { arrivals: arrivalsOf({ 'message.sent': ['a', 'b', 'c', 'e', 'd'] }), steady: false },
    { disordered: 1 },
  ],
  'two sends of two phones in another order': [
    { arrivals: arrivalsOf({ 'message.sent': ['a', 'b', 'c', 'e', 'd'] }), serial: [] },
    { disordered: 1 },
  ],
  'a webhook for an unknown message': [
    { arrivals: arrivalsOf({ 'message.create': [...ids, 'ghost'] }) },
    { strange: 1 },
  ],
  'a webhook for a sent message that was not sent': [
    {
      sends: notSent,
      listed: replaced(good.listed, 2, listedAs('c', 'L', 2)),
      arrivals: arrivalsOf({ 'message.sent.query': ['a', 'b', 'd', 'e'] }),
    },
    { strange: 1 },
  ],
}

test.each(Object.entries(wrong))('%s is found', (_, [changes, counts]) => {
  expect(countsOf(judge(goodHistory(changes)))).toEqual(counts)
})

const allowed: Record<string, [Partial<History>, Partial<Findings>]> = {
  'a repeated webhook': [
    { arrivals: arrivalsOf({ 'message.create': ['a', 'b', 'b', 'c', 'd', 'b', 'e'] }) },
    { repeated: 2 },
  ],
  'a message that waits for the decision of a person': [
    {
      sends: notSent,
      listed: replaced(good.listed, 2, listedAs('c', 'L', 2)),
      arrivals: both(['a', 'b', 'd', 'e']),
    },
    { left: 1, sent: 4 },
  ],
  'creations that overlapped, in either order': [
    {
      accepted: good.accepted.map(each => ({ ...each, begun: 0 })),
      listed: [1, 0, 2, 3, 4].map(from => listedAs(ids[from] ?? '', 'S', from)),
      arrivals: arrivalsOf({ 'message.create': ['b', 'a', 'c', 'd', 'e'] }),
    },
    {},
  ],
  'sends of two phones in the same second, in either order': [
    {
      sends: ids.map(id => sendOf(id, id < 'c' ? 'phone' : 'other')),
      listed: ids.map(id => listedAs(id, 'S')),
      serial: ['phone', 'other'],
      arrivals: both(['c', 'a', 'd', 'b', 'e']),
    },
    {},
  ],
}

test.each(Object.entries(allowed))('%s is allowed', (_, [changes, expected]) => {
  expect(judge(goodHistory(changes))).toEqual({ ...clean, ...nothing, incoming, ...expected })
})

describe('a text that was sent twice', () => {
  const sends = [
    ...['a', 'b'].map(id => sendOf(id)),
    ...['b', 'c', 'd', 'e'].map(id => sendOf(id, 'phone', 2)),
  ]
  const killed = new Set(['phone/1'])
  const found = (
    killsInsideDriver: boolean,
    mode: History['mode'],
    changes: Partial<History> = { sends, killed },
  ): number => {
    const findings = judge(goodHistory({ serial: [], ...changes }))
    return violations({ killsInsideDriver }, mode, { absent: [] }, findings).length
  }

  test('is allowed if phones are killed inside the driver, in at-least-once mode only', () => {
    expect(found(true, 'at-least-once')).toBe(0)
    expect(found(true, 'at-most-once')).toBe(1)
    expect(found(false, 'at-least-once')).toBe(1)
    expect(found(false, 'at-most-once')).toBe(1)
  })

  test.each<[string, Partial<History>]>([
    ['by a phone that was not killed', { sends, killed: new Set(['phone/2']) }],
    ['a third time', { sends: [...sends, sendOf('b', 'other')], killed }],
    [
      'and was not the last of the killed phone',
      { sends: [sendOf('b'), ...sends.slice(0, 1), ...sends.slice(2)], killed },
    ],
  ])('is not allowed there %s', (_, changes) => {
    expect(found(true, 'at-least-once', changes)).toBe(1)
  })
})

test('every other finding and every fault that did not happen is a violation', () => {
  const findings = {
    ...clean,
    ...nothing,
    lost: ['a'],
    missing: ['b'],
    disordered: ['c'],
    strange: ['d'],
    incoming: { texts: 3, lost: ['e'], doubled: ['f'], disordered: ['g'] },
  }
  const faults = { absent: ['a kill'] }
  const found = violations({ killsInsideDriver: true }, 'at-least-once', faults, findings)
  expect(found).toEqual(['a', 'b', 'c', 'e', 'f', 'g', 'd', expect.stringContaining('a kill')])
})

const texts = ['one', 'two', 'three']

test.each([
  ['all of them, in order', texts, {}],
  ['a lost one', ['one', 'three'], { lost: [expect.stringContaining('two')] }],
  [
    'one listed twice',
    ['one', 'two', 'three', 'one'],
    { doubled: [expect.stringContaining('one')] },
  ],
  [
    'two in another order',
    ['two', 'one', 'three'],
    { disordered: [expect.stringContaining('two')] },
  ],
  ['an unknown one', [...texts, 'four'], { disordered: [expect.stringContaining('four')] }],
])('of received texts, %s is judged', (_, received, findings) => {
  expect(judge(goodHistory({ texts, received })).incoming).toEqual({
    ...{ texts: 3, lost: [], doubled: [], disordered: [] },
    ...findings,
  })
})
