import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type EventName,
  eventNames,
  type RelayEvent,
} from '../../../../../src/domain/webhook/event.js'
import { EventIndex } from '../../../../../src/server/store/lowdb/indexes/event-index.js'
import { scale } from '../../../../tier.js'

const act = fc.record({
  account: fc.constantFrom('a', 'a', 'b'),
  event: fc.constantFrom(...eventNames),
  removes: fc.boolean(),
})

test('consecutive pages of an index are the list of its events', () => {
  const check = (
    acts: (typeof act extends fc.Arbitrary<infer T> ? T : never)[],
    count: number,
    names: EventName[],
    after: number,
  ): void => {
    const index = new EventIndex()
    let all: RelayEvent[] = []
    for (const { account, event, removes } of acts) {
      const next = { seq: index.lastSeq + 1, account, event, message: 'm', at: 0 }
      index.update(undefined, next)
      all.push(next)
      const oldest = all.find(each => each.event === event)
      if (!removes || oldest === undefined) continue
      index.update(oldest, undefined)
      all = all.filter(each => each !== oldest)
    }
    const log = all.filter(each => each.account === 'a' && names.includes(each.event))
    const query = { account: 'a', count, names }
    const read: RelayEvent[] = []
    for (let from = 0; ; from = read.at(-1)?.seq ?? 0) {
      const events = index.getPage({ ...query, after: from })
      expect(events.length).toBeLessThanOrEqual(count)
      if (events.length === 0) break
      read.push(...events)
    }
    expect(read).toEqual(log)
    const expected = after < 0 ? log.slice(after) : log.filter(each => each.seq > after)
    expect(index.getPage({ ...query, after })).toEqual(expected.slice(0, count))
    const own = all.filter(each => each.account === 'a')
    expect(index.getLastSeq('a')).toBe(own.at(-1)?.seq ?? 0)
  }
  const property = fc.property(
    fc.array(act, { maxLength: 120 }),
    fc.integer({ min: 1, max: 30 }),
    fc.uniqueArray(fc.constantFrom(...eventNames), { minLength: 1 }),
    fc.integer({ min: -40, max: 140 }),
    check,
  )
  fc.assert(property, { numRuns: scale(300) })
})
