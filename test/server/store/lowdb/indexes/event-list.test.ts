import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RelayEvent } from '../../../../../src/domain/webhook/event.js'
import { EventList } from '../../../../../src/server/store/lowdb/indexes/event-list.js'
import { start } from '../../rig.js'

function eventOf(seq: number): RelayEvent {
  return { seq, account: 'a', event: 'message.create', message: `m${seq}`, at: start + seq }
}

/** What is done to a log: many events at its end, some taken from its front and put back, one anywhere. */
const act = fc.oneof(
  fc.record({ kind: fc.constant('append'), count: fc.nat(60) }),
  fc.record({ kind: fc.constant('shift'), count: fc.nat(80) }),
  fc.record({ kind: fc.constant('shift and undo'), count: fc.nat(80) }),
  fc.record({ kind: fc.constant('remove'), count: fc.nat(200) }),
  fc.record({ kind: fc.constant('put back'), count: fc.nat(200) }),
)

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

test('a log holds what an array holds, in order of number', () => {
  const check = (acts: readonly Act[], seq: number, count: number): void => {
    const log = new EventList()
    let all: RelayEvent[] = []
    let last = 0
    for (const each of acts) {
      if (each.kind === 'append') {
        for (let at = 0; at < each.count; at += 1) {
          last += 1
          log.add(eventOf(last))
          all.push(eventOf(last))
        }
      } else if (each.kind === 'shift') {
        for (const event of all.splice(0, each.count)) log.remove(event)
      } else if (each.kind === 'shift and undo') {
        const some = all.slice(0, each.count)
        for (const event of some) log.remove(event)
        for (const event of some.reverse()) log.add(event)
      } else {
        const event = eventOf(each.count + 1)
        const rest = all.filter(other => other.seq !== event.seq)
        log.remove(event)
        if (each.kind === 'put back' && event.seq <= last) {
          log.add(event)
          rest.push(event)
        }
        all = rest.sort((a, b) => a.seq - b.seq)
      }
      expect(log.listAfter(0, 1e9)).toEqual(all)
      expect([log.first, log.size]).toEqual([all[0], all.length])
    }
    const wanted = all.filter(event => event.seq > seq).slice(0, count)
    expect(log.listAfter(seq, count)).toEqual(wanted)
    expect(log.findBefore(seq)).toEqual(all.findLast(event => event.seq < seq))
  }
  const property = fc.property(fc.array(act, { maxLength: 30 }), fc.nat(300), fc.nat(20), check)
  fc.assert(property, { numRuns: 200 })
})
