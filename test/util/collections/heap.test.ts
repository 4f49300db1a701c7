import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Heap, type HeapItem } from '../../../src/util/collections/heap.js'

interface Item extends HeapItem {
  readonly id: number
  at: number
}

const comesBefore = (a: Item, b: Item): boolean => a.at < b.at || (a.at === b.at && a.id < b.id)
const order = (a: Item, b: Item): number => a.at - b.at || a.id - b.id

function heapOf(times: readonly number[]) {
  const heap = new Heap<Item>(comesBefore)
  const items = times.map((at, id): Item => ({ id, at, place: -1 }))
  for (const item of items) heap.put(item)
  return { heap, items }
}

function drain(heap: Heap<Item>): Item[] {
  const out: Item[] = []
  for (let item = heap.peek(); item !== undefined; item = heap.peek()) {
    heap.remove(item)
    out.push(item)
  }
  return out
}

test('an empty heap has no first item', () => {
  const { heap } = heapOf([])
  expect(heap.peek()).toBeUndefined()
  expect(heap.size).toBe(0)
  expect([...heap.values()]).toEqual([])
})

test('items come out in order', () => {
  const check = (times: number[]): void => {
    const { heap, items } = heapOf(times)
    expect(heap.size).toBe(items.length)
    expect(drain(heap)).toEqual(items.toSorted(order))
    expect(heap.size).toBe(0)
  }
  fc.assert(fc.property(fc.array(fc.nat(9), { maxLength: 50, size: 'max' }), check))
})

test('after any additions, moves and removals the first item is that of a sorted array', () => {
  const step = fc.tuple(fc.nat(19), fc.nat(9), fc.constantFrom('put', 'put', 'remove'))
  const check = (steps: [number, number, string][]): void => {
    const { heap } = heapOf([])
    const items = Array.from({ length: 20 }, (_, id): Item => ({ id, at: 0, place: -1 }))
    const inside = new Set<Item>()
    for (const [id, at, what] of steps) {
      const item = items[id] as Item
      if (what === 'remove') {
        heap.remove(item)
        inside.delete(item)
      } else {
        item.at = at
        heap.put(item)
        inside.add(item)
      }
      expect(heap.peek()).toBe([...inside].sort(order)[0])
      expect(new Set(heap.values())).toEqual(inside)
    }
    for (const item of items) expect(item.place === -1).toBe(!inside.has(item))
    expect(drain(heap)).toEqual([...inside].sort(order))
  }
  fc.assert(fc.property(fc.array(step, { maxLength: 60, size: 'max' }), check))
})

test('removing an item that is not in the heap has no effect', () => {
  const { heap } = heapOf([1, 2])
  heap.remove({ id: 9, at: 0, place: -1 })
  expect(heap.size).toBe(2)
})
