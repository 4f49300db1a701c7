import { array, assert, boolean, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import {
  isSettled,
  listRetries,
  putTriedEvent,
  settleEvent,
  type TriedEvents,
} from '../../../src/domain/webhook/tried-events.js'

const last = 6

/** Events 1 to 6 exist, without 3. */
const stored = [1, 2, 4, 5, 6]

const result = record({ seq: integer({ min: 1, max: last }), isFailure: boolean() })

const findNext = (after: number) => {
  const seq = stored.find(each => each > after)
  return seq === undefined ? undefined : { seq }
}

test('results in any order move the cursor to the last event before which all are settled', () => {
  assert(
    property(array(result, { maxLength: 20 }), results => {
      let tried: TriedEvents = { cursor: 0 }
      const settled = new Set<number>()
      const failed = new Set<number>()
      for (const { seq, isFailure } of results) {
        if (!stored.includes(seq) || settled.has(seq)) continue
        if (isFailure) {
          tried = putTriedEvent(tried, { seq, attempts: 1, firstAt: 0, retryAt: 1 })
          failed.add(seq)
        } else {
          tried = settleEvent(tried, seq, findNext)
          settled.add(seq)
          failed.delete(seq)
        }
        const open = stored.findIndex(each => !settled.has(each))
        expect(tried.cursor).toBe((open === -1 ? last : stored[open - 1]) ?? 0)
        expect(listRetries(tried).map(retry => retry.seq)).toEqual([...failed].toSorted())
        expect(stored.filter(each => isSettled(tried, each))).toEqual([...settled].toSorted())
      }
    }),
  )
})
