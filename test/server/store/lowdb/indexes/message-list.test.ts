import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Status, statusNames } from '../../../../../src/domain/message/message.js'
import { messageFilters } from '../../../../../src/domain/message/message-filter.js'
import { MessageListIndex } from '../../../../../src/server/store/lowdb/indexes/message-list.js'
import { scale } from '../../../../tier.js'
import { getPage } from '../../naive-page.js'
import { messageWith } from '../../rig.js'

const letters = Object.keys(statusNames) as Status[]
const orders = ['asc', 'desc'] as const

const withStatus = (status: Status) => messageWith('m', { status })

describe('a message list of many blocks', () => {
  test('has the pages of an array', () => {
    const list = new MessageListIndex()
    const all: ({ slot: number; status: Status } | undefined)[] = []
    // Two numbers of each hash.
    const getNumber = (slot: number): number => (slot / 3) % 10
    const set = (slot: number, status: Status): void =>
      list.set(slot, withStatus(status), getNumber(slot) % 5)
    for (let at = 0; at < 1600; at += 1) {
      const status = letters[(at * 7 + (at >> 4)) % 7] as Status
      set(3 * at, status)
      all.push({ slot: 3 * at, status })
    }
    const change = fc.record({
      position: fc.nat(1599),
      status: fc.constantFrom(...letters, undefined),
    })
    const page = fc.record({
      statuses: fc.constantFrom(...Object.values<readonly Status[]>(messageFilters)),
      start: fc.oneof(fc.nat(5), fc.nat(1700), fc.constantFrom(511, 512, 513, 1024)),
      count: fc.integer({ min: 1, max: 100 }),
      order: fc.constantFrom(...orders),
      number: fc.option(fc.nat(9), { nil: undefined }),
    })
    const check = (
      changes: { position: number; status: Status | undefined }[],
      query: Query,
    ): void => {
      for (const { position, status } of changes) {
        if (status === undefined) list.remove(3 * position)
        else set(3 * position, status)
        all[position] = status === undefined ? undefined : { slot: 3 * position, status }
      }
      const { statuses, start, count, order, number } = query
      const has = (slot: number): boolean => getNumber(slot) === number
      const expected = getPage(
        all
          .filter(each => each !== undefined)
          .filter(each => number === undefined || has(each.slot)),
        statuses,
        start,
        count,
        order,
      )
      const limits = number === undefined ? {} : { number: { hash: number % 5, has } }
      const page = list.getPage(statuses, start, count, order, limits)
      expect(page).toEqual(expected.map(each => each.slot))
      expect(list.listSlots()).toEqual(all.flatMap(each => each?.slot ?? []))
    }
    fc.assert(fc.property(fc.array(change), page, check), { numRuns: scale(200) })
  })

  test('frees an empty block, and puts a slot of it back in order', () => {
    const list = new MessageListIndex()
    for (let slot = 0; slot < 1500; slot += 1) list.set(slot, withStatus('S'), 0)
    expect(list.blocks.map(({ first, last, size }) => [first, last, size])).toEqual([
      [0, 511, 512],
      [512, 1023, 512],
      [1024, 1499, 476],
    ])
    for (let slot = 0; slot < 1500; slot += 1) list.remove(slot)
    expect(list.listSlots()).toEqual([])
    expect(list.blocks.map(({ first, size }) => [first, size])).toEqual([[1024, 0]])
    list.set(1500, withStatus('N'), 0)
    for (const slot of [700, 3, 1023]) list.set(slot, withStatus('N'), 0)
    expect(list.getPage(['N'], 0, 9, 'desc')).toEqual([1500, 1023, 700, 3])
    expect(list.blocks.map(block => block.list(['N']))).toEqual([[3, 700, 1023, 1500]])
    expect(list.blocks[0]?.list(['S'])).toEqual([])
  })

  test('a full block grows when a removal behind it is undone', () => {
    const list = new MessageListIndex()
    for (let slot = 0; slot < 1500; slot += 1) list.set(slot, withStatus('S'), 0)
    for (let slot = 512; slot < 1024; slot += 1) list.remove(slot)
    for (let slot = 1023; slot >= 512; slot -= 1) list.set(slot, withStatus('S'), 0)
    expect(list.listSlots()).toEqual(Array.from({ length: 1500 }, (_, slot) => slot))
  })

  interface Query {
    readonly statuses: readonly Status[]
    readonly start: number
    readonly count: number
    readonly order: 'asc' | 'desc'
    readonly number: number | undefined
  }
})
