import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Message, type Status, statusNames } from '../../../../src/domain/message/message.js'
import {
  messageFilterNames,
  messageFilters,
} from '../../../../src/domain/message/message-filter.js'
import { MessageListIndex } from '../../../../src/server/store/lowdb/indexes/message-list-index.js'
import { messageWith, newFolder, openStore } from '../rig.js'

const letters = Object.keys(statusNames) as Status[]
const orders = ['asc', 'desc'] as const

/** A page, as one would write it without an index. */
function naivePage<T extends { status: Status }>(
  all: readonly T[],
  statuses: readonly Status[],
  start: number,
  count: number,
  order: 'asc' | 'desc',
): T[] {
  const chosen = all.filter(each => statuses.includes(each.status))
  return (order === 'asc' ? chosen : chosen.toReversed()).slice(start, start + count)
}

const step = fc.record({
  at: fc.nat(40),
  status: fc.constantFrom(...letters, 'removed' as const),
  account: fc.constantFrom('a', 'a', 'a', 'b'),
})

describe('pages of the list', () => {
  test('are those of an array, for every filter and order, after any changes', async () => {
    const check = async (steps: { at: number; status: Status | 'removed'; account: string }[]) => {
      const folder = await newFolder()
      const store = await openStore(folder)
      let all: Message[] = []
      const written = steps.map(async ({ at, status, account }, nth) => {
        const known = all[at]
        const message =
          known === undefined
            ? messageWith(`m${nth}`, { account, ...(status === 'removed' ? {} : { status }) })
            : { ...known, ...(status === 'removed' ? {} : { status }) }
        const gone = known !== undefined && status === 'removed'
        if (gone) all = all.filter(each => each !== known)
        else all = known ? all.with(at, message) : [...all, message]
        const options = { account: message.account }
        await store.messages.change(message.id, () => ({ message: gone ? null : message }), options)
      })
      await Promise.all(written)
      const again = await openStore(folder)
      for (const reader of [store, again]) await comparePages(reader, all)
      await again.close()
      await store.close()
    }
    const steps = fc.array(step, { maxLength: 60, size: 'max' })
    await fc.assert(fc.asyncProperty(steps, check), { numRuns: 25 })
  })

  async function comparePages(
    store: Awaited<ReturnType<typeof openStore>>,
    all: readonly Message[],
  ): Promise<void> {
    for (const account of ['a', 'b', 'none']) {
      const own = all.filter(each => each.account === account)
      for (const filter of messageFilterNames) {
        for (const order of orders) {
          for (const [start, count] of [
            [0, 50],
            [1, 3],
            [7, 100],
            [1000, 1],
          ] as const) {
            const statuses = messageFilters[filter]
            const page = await store.messages.list({ account, statuses, start, count, order })
            expect(page).toEqual(naivePage(own, statuses, start, count, order))
          }
        }
      }
    }
  }
})

describe('a ranked list of many blocks', () => {
  test('has the pages of an array', () => {
    const list = new MessageListIndex()
    const all: ({ id: string; status: Status } | undefined)[] = []
    for (let at = 0; at < 1600; at += 1) {
      const status = letters[(at * 7 + (at >> 4)) % 7] as Status
      list.append(`m${at}`, status)
      all.push({ id: `m${at}`, status })
    }
    const change = fc.record({
      place: fc.nat(1599),
      status: fc.constantFrom(...letters, undefined),
    })
    const page = fc.record({
      statuses: fc.constantFrom(...Object.values<readonly Status[]>(messageFilters)),
      start: fc.oneof(fc.nat(5), fc.nat(1700), fc.constantFrom(511, 512, 513, 1024)),
      count: fc.integer({ min: 1, max: 100 }),
      order: fc.constantFrom(...orders),
    })
    const check = (
      changes: { place: number; status: Status | undefined }[],
      query: Query,
    ): void => {
      for (const { place, status } of changes) {
        if (status === undefined) list.clear(place)
        else list.set(place, `m${place}`, status)
        all[place] = status === undefined ? undefined : { id: `m${place}`, status }
      }
      const { statuses, start, count, order } = query
      const wanted = naivePage(
        all.filter(each => each !== undefined),
        statuses,
        start,
        count,
        order,
      )
      expect(list.getPage(statuses, start, count, order)).toEqual(wanted.map(each => each.id))
      expect(list.listIds()).toEqual(all.flatMap(each => each?.id ?? []))
    }
    fc.assert(fc.property(fc.array(change), page, check), { numRuns: 200 })
  })

  test('lets go of a block in which nothing is left, and takes it back', () => {
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
