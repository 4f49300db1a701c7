import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '../../../../../src/domain/message/message.js'
import {
  type MessageCriteria,
  matchesCriteria,
} from '../../../../../src/domain/message/message-criteria.js'
import { parseSearchWords } from '../../../../../src/domain/message/search-words.js'
import { MessageTable } from '../../../../../src/server/store/lowdb/message-table/message-table.js'
import { scale } from '../../../../tier.js'
import { createSent, fields, otherIds, usual, uuids } from './sample-messages.js'

interface Change {
  readonly id: string
  readonly fields: object | null
  readonly isLine: boolean
}

const change: fc.Arbitrary<Change> = fc.record({
  id: fc.constantFrom(...uuids, ...otherIds),
  fields: fc.option(fc.oneof(fields, usual), { freq: 4, nil: null }),
  isLine: fc.boolean(),
})

test('any changes leave the messages and the order of a Map', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), changes => {
      const table = new MessageTable()
      const map = new Map<string, Message>()
      for (const { id, fields, isLine } of changes) {
        if (fields === null) {
          expect(table.delete(id)).toBe(map.delete(id))
        } else {
          const message = { id, ...fields } as Message
          const isSet = isLine && setFromLine(table, message)
          if (!isSet) table.set(id, message)
          map.set(id, isSet ? (JSON.parse(JSON.stringify(message)) as Message) : message)
        }
        expect(table.get(id)).toEqual(map.get(id))
        expect(table.has(id)).toBe(map.has(id))
      }
      expect(table.size).toBe(map.size)
      expect([...table]).toStrictEqual([...map])
      expect([...table.keys()]).toEqual([...map.keys()])
      expect([...table.values()]).toEqual([...map.values()])
      for (const slot of table.slots()) {
        const { account, status, createdAt, statusAt, delivery } = table.getAt(slot) as Message
        expect(table.getHead(slot)).toMatchObject({ account, status, createdAt, statusAt })
        expect(table.getHead(slot).delivery).toBe(delivery)
      }
    }),
    { numRuns: scale(300) },
  )
})

test('any line of a message leaves the message that JSON.parse makes of it', () => {
  let records = 0
  fc.assert(
    fc.property(fc.constantFrom(...uuids), fc.oneof(fields, usual), (id, fields) => {
      const table = new MessageTable()
      const text = JSON.stringify([['message', id, { id, ...fields }]])
      const block = Buffer.from(`xx${text}yy`)
      if (!table.setFromLine(block, 2, block.length - 2)) {
        expect(table.size).toBe(0)
        return
      }
      records += 1
      expect([...table]).toStrictEqual([[id, JSON.parse(text)[0][2]]])
    }),
    { numRuns: scale(1000) },
  )
  expect(records).toBeGreaterThan(scale(100))
})

test('a line with any change of a byte is refused or read as JSON.parse reads it', () => {
  const id = uuids[0] as string
  const line = Buffer.from(JSON.stringify([['message', id, createSent(id, 'Text')]]))
  fc.assert(
    fc.property(fc.nat(line.length - 1), fc.integer({ min: 32, max: 126 }), (at, byte) => {
      const changed = Buffer.from(line)
      changed[at] = byte
      const table = new MessageTable()
      if (!table.setFromLine(changed, 0, changed.length)) return
      const [[, key, message]] = JSON.parse(changed.toString()) as [[string, string, Message]]
      expect([...table]).toStrictEqual([[key, message]])
    }),
    { numRuns: scale(3000) },
  )
})

test('a search finds what it finds in decoded messages', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom('x', 'a', '😀'),
  )
  const words = fc.oneof(part, fc.nat(99_999).map(String))
  fc.assert(
    fc.property(fc.array(fc.oneof(fields, usual), { maxLength: 15 }), words, (drafts, sought) => {
      const table = new MessageTable()
      for (const [n, draft] of drafts.entries()) {
        const id = uuids[n] as string
        table.set(id, { ...draft, id } as Message)
      }
      const [draft] = drafts
      const number = draft?.number ?? ''
      const words = parseSearchWords(sought)
      const all: MessageCriteria[] = [
        { words },
        { words, since: 1_700_000_000_000 },
        { until: 1_700_000_000_000 },
        { since: 1_700_000_000_000, number },
        { number, words },
        { phone: draft?.phone ?? '' },
        { reason: draft?.error?.slice(0, 2).toLowerCase() ?? '' },
      ]
      for (const criteria of all) {
        const matches = table.createMatcher(criteria)
        for (const slot of table.slots())
          expect(matches(slot)).toBe(matchesCriteria(criteria, table.getAt(slot) as Message))
      }
    }),
    { numRuns: scale(500) },
  )
})

test.each([
  ['parcel', 'PARCEL'],
  ['Your', 'your '],
  ['€', '€'],
  ['+1 (202) 555', '+12025550143'],
  ['straße', 'STRASSE straße'],
  ['kelvin', '\u212aelvin'],
])('a search for %j finds %j in text or number', (sought, found) => {
  const table = new MessageTable()
  const id = uuids[0] as string
  table.set(id, { ...createSent(id, `x${found}y`), number: found, destination: 'other' })
  expect(table.createMatcher({ words: parseSearchWords(sought) })(table.findSlot(id))).toBe(true)
  expect(table.createMatcher({ words: parseSearchWords('absent') })(table.findSlot(id))).toBe(false)
})

test('a deleted message returns to its place if the deletion is undone', () => {
  const table = new MessageTable()
  for (const id of uuids) table.set(id, createSent(id, 'Text'))
  const id = uuids[7] as string
  const before = table.get(id) as Message
  const slot = table.findSlot(id)
  table.delete(id)
  expect(table.findSlot(id)).toBe(-1)
  table.set(id, before)
  expect(table.findSlot(id)).toBe(slot)
  expect([...table.keys()]).toEqual(uuids)
})

test('a message that a list has decoded returns to its place, too', () => {
  const table = new MessageTable()
  const [id = '', next = ''] = uuids
  for (const each of [next, id]) table.set(each, createSent(each, 'Text'))
  const slot = table.findSlot(id)
  table.getAt(slot)
  const before = table.get(id) as Message
  table.delete(id)
  table.set(id, before)
  expect(table.findSlot(id)).toBe(slot)
})

test('memory of deleted messages is used for others', () => {
  const table = new MessageTable()
  const ids = Array.from(
    { length: 20_000 },
    (_, n) => `0189abcd-0000-7000-8000-${String(n).padStart(12, '0')}`,
  )
  const add = (round: number): void => {
    for (const id of ids) table.set(id, createSent(id, `Text ${round} ${id}`))
  }
  add(0)
  const full = table.recordBytes
  for (let round = 1; round < 4; round += 1) add(round)
  expect(table.recordBytes).toBeLessThan(2.2 * full)
  for (const [n, id] of ids.entries()) if (n % 3 > 0) table.delete(id)
  expect(table.recordBytes).toBeLessThan(0.8 * full)
  expect([...table.values()].map(each => each.text)).toEqual(
    ids.filter((_, n) => n % 3 === 0).map(id => `Text 3 ${id}`),
  )
})

function setFromLine(table: MessageTable, message: Message): boolean {
  const line = Buffer.from(JSON.stringify([['message', message.id, message]]))
  return table.setFromLine(line, 0, line.length)
}
