import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type EventName,
  eventNames,
  type RelayEvent,
} from '../../../../src/domain/webhook/event.js'
import { EventIndex } from '../../../../src/server/store/lowdb/indexes/event-index.js'
import type { Store } from '../../../../src/server/store/store.js'
import { accept, messageWith, newFolder, newStore, openStore, start, sumOf } from '../rig.js'

async function record(store: Store, id: string, event: EventName, account = 'a'): Promise<void> {
  const change = () => ({ message: messageWith(id, { account }), events: [event] })
  await store.messages.change(id, change, { account })
}

async function fill(store: Store): Promise<void> {
  await record(store, 'm1', 'message.create')
  await record(store, 'm1', 'message.sent')
  await record(store, 'x1', 'message.create', 'b')
  await record(store, 'm2', 'message.create')
  await record(store, 'm2', 'message.failed')
}

const page = async (store: Store, after: number, count = 100, names?: readonly EventName[]) => {
  const found = await store.events.getPage({ account: 'a', after, count, names })
  return { ...found, events: found.events.map(each => each.seq) }
}

describe('a page of events', () => {
  test('has those of every name of one account, in one order, and says which is the newest', async () => {
    const store = await newStore()
    expect(await page(store, 0)).toEqual({ events: [], lastSeq: 0, lastRemovedSeq: 0 })
    await fill(store)
    expect(await page(store, 0)).toEqual({ events: [1, 2, 4, 5], lastSeq: 5, lastRemovedSeq: 0 })
    expect(await page(store, 1, 2)).toEqual({ events: [2, 4], lastSeq: 5, lastRemovedSeq: 0 })
    expect((await page(store, 5)).events).toEqual([])
    expect((await page(store, 0, 9, ['message.create', 'message.failed'])).events).toEqual([
      1, 4, 5,
    ])
  })

  test('begins at the last N', async () => {
    const store = await newStore()
    await fill(store)
    expect((await page(store, -2)).events).toEqual([4, 5])
    expect((await page(store, -3, 2)).events).toEqual([2, 4])
    expect((await page(store, -1, 9, ['message.create'])).events).toEqual([4])
    expect((await page(store, -99)).events).toEqual([1, 2, 4, 5])
  })

  test('says up to where events of its names were removed, also after opening again', async () => {
    const folder = await newFolder()
    let now = start
    const store = await openStore(folder, { now: () => now })
    await fill(store)
    now += 10
    await record(store, 'm3', 'message.create')
    expect(await sumOf(store.events.purge(start + 1, 1e9))).toBe(5)
    await store.close()
    for (const foldAbove of [Number.POSITIVE_INFINITY, 0]) {
      const again = await openStore(folder, { compactAbove: foldAbove })
      expect(await page(again, 0)).toEqual({ events: [6], lastSeq: 6, lastRemovedSeq: 5 })
      expect(await page(again, 0, 9, ['message.sent'])).toEqual({
        events: [],
        lastSeq: 6,
        lastRemovedSeq: 2,
      })
      await again.close()
    }
    const last = await openStore(folder)
    await last.accounts.remove('a')
    expect(await page(last, 0)).toEqual({ events: [], lastSeq: 0, lastRemovedSeq: 0 })
  })

  test('has only what is durable', async () => {
    const store = await newStore()
    const order: string[] = []
    const accepted = accept(store, 'm1').then(() => order.push('accepted'))
    await page(store, 0).then(({ events }) => order.push(`read ${events}`))
    await accepted
    expect(order).toEqual(['accepted', 'read 1'])
  })
})

const act = fc.record({
  account: fc.constantFrom('a', 'a', 'b'),
  event: fc.constantFrom(...eventNames),
  removes: fc.boolean(),
})

test('random pages of random events, put together, are the log', () => {
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
    const wanted = after < 0 ? log.slice(after) : log.filter(each => each.seq > after)
    expect(index.getPage({ ...query, after })).toEqual(wanted.slice(0, count))
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
  fc.assert(property, { numRuns: 300 })
})
