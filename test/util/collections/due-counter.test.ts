import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DueCounter } from '../../../src/util/collections/due-counter.js'
import { scale } from '../../tier.js'

const times = fc.oneof(
  fc.integer({ min: -5, max: 40 }).map(each => each * 500),
  fc.integer({ min: 16_380, max: 16_390 }).map(each => each * 1000 - 1),
  fc.integer({ min: 0, max: 5 }).map(each => each * 16_384_000),
)

const step = fc.oneof(
  fc.record({ add: times }),
  fc.record({ remove: fc.nat(50) }),
  fc.record({ ask: times }),
)

test('the count of times that have passed is that of an array, for any order of queries', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const counter = new DueCounter()
      const moments: number[] = []
      for (const each of steps) {
        if ('add' in each) {
          counter.add(each.add)
          moments.push(each.add)
        } else if ('remove' in each) {
          const [gone] = moments.splice(each.remove % Math.max(moments.length, 1), 1)
          if (gone !== undefined) counter.remove(gone)
        } else {
          const second = Math.floor(each.ask / 1000)
          const come = moments.filter(at => Math.floor(at / 1000) <= second)
          expect(counter.countDue(each.ask)).toBe(come.length)
        }
        expect(counter.size).toBe(moments.length)
      }
    }),
    { numRuns: scale(500) },
  )
})
