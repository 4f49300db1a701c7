import { describe, expect, test } from 'vitest'
import { checkHistory, type Findings } from '../../../../tools/chaos/oracle/check-history.js'
import type { History } from '../../../../tools/chaos/oracle/history.js'
import { listViolations } from '../../../../tools/chaos/result.js'
import {
  createArrivals,
  createGoodHistory,
  createListed,
  createSend,
  ids,
  replaceItem,
} from './histories.js'

const clean = { accepted: 5, sent: 5, repeated: 0, locked: 0, unexcused: [] }
const nothing = {
  ...{ lost: [], doubled: [], missing: [], unconfirmed: [], disordered: [] },
  unexplained: [],
}
const receivedTexts = { texts: 0, lost: [], doubled: [], disordered: [] }

/** The number of findings of each kind, without zeros. */
function countFindings(findings: Findings): Record<string, number> {
  const kinds = Object.keys(nothing) as (keyof typeof nothing)[]
  const counts = kinds.map(kind => [kind, findings[kind].length] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

test('a history without faults has no findings', () => {
  expect(checkHistory(createGoodHistory())).toEqual({ ...clean, ...nothing, receivedTexts })
})

const good = createGoodHistory()
const sentTwice = [...good.sends, createSend('b')]
const notSent = replaceItem(good.sends, 2)
const createSentArrivals = (order: readonly string[]): History['arrivals'] =>
  createArrivals({ 'message.sent': order, 'message.sent.query': order })

const violationCases: Record<string, [Partial<History>, Record<string, number>]> = {
  'a message with status S that the driver did not send': [{ sends: notSent }, { lost: 1 }],
  'a message that is never sent': [
    {
      sends: notSent,
      listed: replaceItem(good.listed, 2, createListed('c', 'N', 2)),
      arrivals: createSentArrivals(['a', 'b', 'd', 'e']),
    },
    { lost: 1, unexplained: 1 },
  ],
  'a message that is missing from the list': [
    { listed: replaceItem(good.listed, 2), arrivals: createSentArrivals(['a', 'b', 'd', 'e']) },
    { lost: 1 },
  ],
  'a message that was deleted without being sent': [
    {
      sends: notSent,
      listed: replaceItem(good.listed, 2, createListed('c', 'D', 2)),
      arrivals: createSentArrivals(['a', 'b', 'd', 'e']),
    },
    { lost: 1 },
  ],
  'a text that was sent twice': [{ sends: sentTwice, serialPhones: [] }, { doubled: 1 }],
  'a text that was accepted twice and sent under both identifiers': [
    {
      sends: [...good.sends, { ...createSend('f'), text: 'text e' }],
      listed: [...good.listed, { ...createListed('f', 'S', 4), text: 'text e' }],
    },
    { doubled: 1, unexplained: 2 },
  ],
  'a creation without its webhook': [
    { arrivals: createArrivals({ 'message.create': ['a', 'b', 'd', 'e'] }) },
    { missing: 1 },
  ],
  'a sent message without its webhook at one of two subscriptions': [
    { arrivals: createArrivals({ 'message.sent.query': ['a', 'b', 'c', 'd'] }) },
    { missing: 1 },
  ],
  'a failed message without its webhook': [
    {
      sends: notSent,
      listed: replaceItem(good.listed, 2, createListed('c', 'F', 2)),
      arrivals: createSentArrivals(['a', 'b', 'd', 'e']),
    },
    { missing: 1 },
  ],
  'a delivered text that is shown as sent': [
    { delivered: new Set(['text c']) },
    { unconfirmed: 1 },
  ],
  'two creations in the wrong order': [
    { arrivals: createArrivals({ 'message.create': ['a', 'c', 'b', 'd', 'e'] }) },
    { disordered: 1 },
  ],
  'two creations in the wrong order, also in the list': [
    {
      listed: [0, 2, 1, 3, 4].map((from, at) => createListed(ids[from] ?? '', 'S', at)),
      arrivals: createArrivals({ 'message.create': ['a', 'c', 'b', 'd', 'e'] }),
      serialPhones: [],
      hasSteadyClock: false,
    },
    { disordered: 1 },
  ],
  'two texts of one phone in the wrong order': [
    {
      arrivals: createArrivals({ 'message.sent': ['a', 'b', 'c', 'e', 'd'] }),
      hasSteadyClock: false,
    },
    { disordered: 1 },
  ],
  'two texts of two phones in the wrong order': [
    { arrivals: createArrivals({ 'message.sent': ['a', 'b', 'c', 'e', 'd'] }), serialPhones: [] },
    { disordered: 1 },
  ],
  'a webhook for an unknown message': [
    { arrivals: createArrivals({ 'message.create': [...ids, 'ghost'] }) },
    { unexplained: 1 },
  ],
  'a webhook that reports an unsent message as sent': [
    {
      sends: notSent,
      listed: replaceItem(good.listed, 2, createListed('c', 'L', 2)),
      arrivals: createArrivals({ 'message.sent.query': ['a', 'b', 'd', 'e'] }),
    },
    { unexplained: 1 },
  ],
}

test.each(Object.entries(violationCases))('%s is a finding', (_, [changes, counts]) => {
  expect(countFindings(checkHistory(createGoodHistory(changes)))).toEqual(counts)
})

const allowedCases: Record<string, [Partial<History>, Partial<Findings>]> = {
  'a repeated webhook': [
    { arrivals: createArrivals({ 'message.create': ['a', 'b', 'b', 'c', 'd', 'b', 'e'] }) },
    { repeated: 2 },
  ],
  'a locked message': [
    {
      sends: notSent,
      listed: replaceItem(good.listed, 2, createListed('c', 'L', 2)),
      arrivals: createSentArrivals(['a', 'b', 'd', 'e']),
    },
    { locked: 1, sent: 4 },
  ],
  'overlapping creations in either order': [
    {
      accepted: good.accepted.map(each => ({ ...each, begun: 0 })),
      listed: [1, 0, 2, 3, 4].map(from => createListed(ids[from] ?? '', 'S', from)),
      arrivals: createArrivals({ 'message.create': ['b', 'a', 'c', 'd', 'e'] }),
    },
    {},
  ],
  'texts of two phones in the same second, in either order': [
    {
      sends: ids.map(id => createSend(id, id < 'c' ? 'phone' : 'other')),
      listed: ids.map(id => createListed(id, 'S')),
      serialPhones: ['phone', 'other'],
      arrivals: createSentArrivals(['c', 'a', 'd', 'b', 'e']),
    },
    {},
  ],
}

test.each(Object.entries(allowedCases))('%s is allowed', (_, [changes, expected]) => {
  expect(checkHistory(createGoodHistory(changes))).toEqual({
    ...clean,
    ...nothing,
    receivedTexts: receivedTexts,
    ...expected,
  })
})

describe('a text that was sent twice', () => {
  const sends = [
    ...['a', 'b'].map(id => createSend(id)),
    ...['b', 'c', 'd', 'e'].map(id => createSend(id, 'phone', 2)),
  ]
  const killed = new Set(['phone/1'])
  const found = (
    killsInsideDriver: boolean,
    mode: History['mode'],
    changes: Partial<History> = { sends, killed },
  ): number => {
    const findings = checkHistory(createGoodHistory({ serialPhones: [], ...changes }))
    return listViolations({ killsInsideDriver }, mode, { missed: [] }, findings).length
  }

  test('is allowed only where phones are killed inside the driver in at-least-once mode', () => {
    expect(found(true, 'at-least-once')).toBe(0)
    expect(found(true, 'at-most-once')).toBe(1)
    expect(found(false, 'at-least-once')).toBe(1)
    expect(found(false, 'at-most-once')).toBe(1)
  })

  test('is allowed for as many texts as the killed phone had in flight', () => {
    const two = [...sends, createSend('a', 'phone', 2)]
    expect(found(true, 'at-least-once', { sends: two, killed, window: 2 })).toBe(0)
    expect(found(true, 'at-least-once', { sends: two, killed })).toBe(1)
  })

  test.each<[string, Partial<History>]>([
    ['by a phone that was not killed', { sends, killed: new Set(['phone/2']) }],
    ['a third time', { sends: [...sends, createSend('b', 'other')], killed }],
    [
      'and was not the last of the killed phone',
      { sends: [createSend('b'), ...sends.slice(0, 1), ...sends.slice(2)], killed },
    ],
  ])('is a violation there %s', (_, changes) => {
    expect(found(true, 'at-least-once', changes)).toBe(1)
  })
})

test('every other finding, and a fault that did not happen, is a violation', () => {
  const findings = {
    ...clean,
    ...nothing,
    lost: ['a'],
    missing: ['b'],
    unconfirmed: ['h'],
    disordered: ['c'],
    unexplained: ['d'],
    receivedTexts: { texts: 3, lost: ['e'], doubled: ['f'], disordered: ['g'] },
  }
  const faults = { missed: ['a kill'] }
  const found = listViolations({ killsInsideDriver: true }, 'at-least-once', faults, findings)
  expect(found).toEqual(['a', 'b', 'h', 'c', 'e', 'f', 'g', 'd', 'did not happen: a kill'])
})

const texts = ['one', 'two', 'three']

test.each([
  ['all received texts in order', texts, {}],
  ['a lost text', ['one', 'three'], { lost: [expect.stringContaining('two')] }],
  ['a doubled text', ['one', 'two', 'three', 'one'], { doubled: [expect.stringContaining('one')] }],
  [
    'two texts in the wrong order',
    ['two', 'one', 'three'],
    { disordered: [expect.stringContaining('two')] },
  ],
  ['an unknown text', [...texts, 'four'], { disordered: [expect.stringContaining('four')] }],
])('received texts: %s', (_, received, wrongs) => {
  expect(checkHistory(createGoodHistory({ simTexts: texts, received })).receivedTexts).toEqual({
    ...{ texts: 3, lost: [], doubled: [], disordered: [] },
    ...wrongs,
  })
})
