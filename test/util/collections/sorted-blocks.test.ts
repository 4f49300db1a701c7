import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SortedBlocks } from '../../../src/util/collections/sorted-blocks.js'

interface Place {
  readonly at: number
  readonly id: number
}

const compare = (a: Place, b: Place): number => a.at - b.at || a.id - b.id

function listAll(blocks: SortedBlocks<Place, Place>): Place[] {
  return [...blocks.values()]
}

test('empty blocks have no first item and list none', () => {
  const blocks = new SortedBlocks<Place, Place>(compare)
  expect([blocks.first, blocks.size, listAll(blocks)]).toEqual([undefined, 0, []])
  expect(blocks.listAfter({ at: 0, id: 0 }, 5)).toEqual([])
  blocks.remove({ at: 1, id: 1 })
  expect(blocks.size).toBe(0)
})

test('after any additions and removals, pages are those of a sorted array', () => {
  const step = fc.tuple(fc.nat(4000), fc.constantFrom('add', 'add', 'remove'), fc.nat(7))
  const steps = fc.array(step, { maxLength: 4000, size: 'max' })
  const check = (given: [number, string, number][], place: number, count: number): void => {
    const blocks = new SortedBlocks<Place, Place>(compare)
    const inside = new Map<number, Place>()
    for (const [id, what, at] of given) {
      const known = inside.get(id)
      if (known !== undefined) blocks.remove(known)
      inside.delete(id)
      if (what === 'remove') continue
      const item = { at, id }
      blocks.add(item)
      inside.set(id, item)
    }
    const sorted = [...inside.values()].sort(compare)
    expect(listAll(blocks)).toEqual(sorted)
    expect([blocks.first, blocks.size]).toEqual([sorted[0], sorted.length])
    const after = { at: place % 8, id: place }
    const behind = sorted.filter(each => compare(each, after) > 0)
    expect(blocks.listAfter(after, count)).toEqual(behind.slice(0, count))
  }
  fc.assert(fc.property(steps, fc.nat(4000), fc.nat(1500), check), { numRuns: 30 })
})

test('any place among 100,000 items is found with few comparisons', () => {
  let comparisons = 0
  const blocks = new SortedBlocks<Place, Place>((a, b) => {
    comparisons += 1
    return compare(a, b)
  })
  const items = Array.from({ length: 100_000 }, (_, id) => ({ at: (id * 7919) % 100_003, id }))
  for (const item of items) blocks.add(item)
  for (const item of items.slice(0, 1000)) {
    comparisons = 0
    expect(blocks.listAfter(item, 100).length).toBeLessThanOrEqual(100)
    blocks.remove(item)
    blocks.add(item)
    expect(comparisons).toBeLessThan(100)
  }
})
