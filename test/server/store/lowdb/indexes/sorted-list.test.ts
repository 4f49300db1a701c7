import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SortedList } from '../../../../../src/server/store/lowdb/indexes/sorted-list.js'
import { measureProcessorTime } from '../../../../processor-time.js'
import { scale } from '../../../../tier.js'

interface Item {
  readonly key: number
}

/** Items are appended, removed at the front and put back, removed anywhere and put back. */
const act = fc.oneof(
  fc.record({ kind: fc.constant('append'), count: fc.nat(60) }),
  fc.record({ kind: fc.constant('shift'), count: fc.nat(80) }),
  fc.record({ kind: fc.constant('shift and undo'), count: fc.nat(80) }),
  fc.record({ kind: fc.constant('remove'), count: fc.nat(200) }),
  fc.record({ kind: fc.constant('put back'), count: fc.nat(200) }),
)

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

test('a list has the items of a sorted array', () => {
  const check = (acts: readonly Act[], key: number, count: number): void => {
    const list = new SortedList((item: Item) => item.key)
    let all: Item[] = []
    let last = 0
    for (const each of acts) {
      if (each.kind === 'append') {
        for (let at = 0; at < each.count; at += 1) {
          last += 1
          list.add({ key: last })
          all.push({ key: last })
        }
      } else if (each.kind === 'shift') {
        for (const item of all.splice(0, each.count)) list.remove(item.key)
      } else if (each.kind === 'shift and undo') {
        const some = all.slice(0, each.count)
        for (const item of some) list.remove(item.key)
        for (const item of some.reverse()) list.add(item)
      } else {
        const item = { key: each.count + 1 }
        const rest = all.filter(other => other.key !== item.key)
        list.remove(item.key)
        if (each.kind === 'put back' && item.key <= last) {
          list.add(item)
          rest.push(item)
        }
        all = rest.sort((a, b) => a.key - b.key)
      }
      expect(list.listAfter(0, 1e9)).toEqual(all)
      expect([list.first, list.size]).toEqual([all[0], all.length])
    }
    const after = all.filter(item => item.key > key)
    expect(list.listAfter(key, count)).toEqual(after.slice(0, count))
    const before = all.filter(item => item.key < key)
    expect(list.listBefore(key, count + 1)).toEqual(before.slice(-count - 1))
    expect(list.listBefore(undefined, count + 1)).toEqual(all.slice(-count - 1))
  }
  const property = fc.property(fc.array(act, { maxLength: 30 }), fc.nat(300), fc.nat(20), check)
  fc.assert(property, { numRuns: scale(200) })
})

test('a list of text keys has the members of a sorted set', () => {
  const step = fc.record({ adds: fc.boolean(), id: fc.integer({ min: 0, max: 40 }).map(String) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), fc.nat(45).map(String), (steps, bound) => {
      const list = new SortedList((id: string) => id)
      const set = new Set<string>()
      for (const { adds, id } of steps) {
        list[adds ? 'add' : 'remove'](id)
        set[adds ? 'add' : 'delete'](id)
        const sorted = [...set].sort()
        expect(list.first).toBe(sorted[0])
        expect(list.listBefore(undefined, 1000)).toEqual(sorted)
        const below = sorted.filter(each => each < bound)
        expect(list.listBefore(bound, 3)).toEqual(below.slice(-3))
      }
    }),
  )
})

test('100,000 items are paged and removed at the front in less than five seconds', async () => {
  const list = new SortedList((id: string) => id)
  const toId = (n: number) => `r${String(n).padStart(9, '0')}`
  for (let n = 0; n < 100_000; n += 1) list.add(toId(n))
  const pageAndRemove = () => {
    for (let n = 0; n < 1000; n += 1) {
      expect(list.listBefore(toId(50_000), 50).at(-1)).toBe(toId(49_999))
    }
    for (let n = 0; n < 99_990; n += 1) list.remove(toId(n))
  }
  // In linear time, either would take a minute.
  expect(await measureProcessorTime(pageAndRemove)).toBeLessThan(5000)
  expect(list.listBefore(undefined, 20)).toHaveLength(10)
})
