import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Status, statusNames } from '../../../../../src/domain/message/message.js'
import { messageFilters } from '../../../../../src/domain/message/message-filter.js'
import { MessageListIndex } from '../../../../../src/server/store/lowdb/indexes/message-list.js'
import { getPage } from '../../naive-page.js'

const letters = Object.keys(statusNames) as Status[]
const orders = ['asc', 'desc'] as const

describe('a message list of many blocks', () => {
  test('has the pages of an array', () => {
    const list = new MessageListIndex()
    const all: ({ id: string; status: Status } | undefined)[] = []
    for (let at = 0; at < 1600; at += 1) {
      const status = letters[(at * 7 + (at >> 4)) % 7] as Status
      list.append(`m${at}`, status)
      all.push({ id: `m${at}`, status })
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
    })
    const check = (
      changes: { position: number; status: Status | undefined }[],
      query: Query,
    ): void => {
      for (const { position, status } of changes) {
        if (status === undefined) list.clear(position)
        else list.set(position, `m${position}`, status)
        all[position] = status === undefined ? undefined : { id: `m${position}`, status }
      }
      const { statuses, start, count, order } = query
      const expected = getPage(
        all.filter(each => each !== undefined),
        statuses,
        start,
        count,
        order,
      )
      expect(list.getPage(statuses, start, count, order)).toEqual(expected.map(each => each.id))
      expect(list.listIds()).toEqual(all.flatMap(each => each?.id ?? []))
    }
    fc.assert(fc.property(fc.array(change), page, check), { numRuns: 200 })
  })

  test('frees an empty block, and creates it again', () => {
    const list = new MessageListIndex()
    for (let at = 0; at < 1500; at += 1) list.append(`m${at}`, 'S')
    expect(list.blocks).toBe(3)
    for (let at = 0; at < 1500; at += 1) list.clear(at)
    expect(list.listIds()).toEqual([])
    expect([0, 1, 2].map(block => list.hasBlock(block))).toEqual([false, false, true])
    list.set(700, 'm700', 'N')
    list.append('new', 'N')
    expect(list.getPage(['N'], 0, 9, 'desc')).toEqual(['new', 'm700'])
    expect(list.listIdsInBlock(1, ['N'])).toEqual(['m700'])
    expect(list.listIdsInBlock(1, ['S'])).toEqual([])
    expect(list.listIdsInBlock(0, ['N'])).toEqual([])
  })

  interface Query {
    readonly statuses: readonly Status[]
    readonly start: number
    readonly count: number
    readonly order: 'asc' | 'desc'
  }
})
