import { describe, expect, test } from 'vitest'
import type { EventName } from '../../../../src/domain/webhook/event.js'
import type { Store } from '../../../../src/server/store/store.js'
import { accept, messageWith, start, sumOf } from '../rig.js'
import type { CreateDatabase, StoreOptions } from './test-database.js'

/** Pages of events. */
export function testEventPages(createDatabase: CreateDatabase): void {
  const newStore = async (options: StoreOptions = {}) => (await createDatabase()).open(options)
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
    test('has the events of all names of an account in one order, and the newest number', async () => {
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

    test('starts at the last N events', async () => {
      const store = await newStore()
      await fill(store)
      expect((await page(store, -2)).events).toEqual([4, 5])
      expect((await page(store, -3, 2)).events).toEqual([2, 4])
      expect((await page(store, -1, 9, ['message.create'])).events).toEqual([4])
      expect((await page(store, -99)).events).toEqual([1, 2, 4, 5])
    })

    test('has the last deleted number of its names, also after restarts', async () => {
      const database = await createDatabase()
      let now = start
      const store = await database.open({ now: () => now })
      await fill(store)
      now += 10
      await record(store, 'm3', 'message.create')
      expect(await sumOf(store.events.purge(start + 1, 1e9))).toBe(5)
      await store.close()
      for (let restart = 0; restart < 2; restart += 1) {
        const again = await database.open()
        expect(await page(again, 0)).toEqual({ events: [6], lastSeq: 6, lastRemovedSeq: 5 })
        expect(await page(again, 0, 9, ['message.sent'])).toEqual({
          events: [],
          lastSeq: 6,
          lastRemovedSeq: 2,
        })
        await again.close()
      }
      const last = await database.open()
      await last.accounts.remove('a')
      expect(await page(last, 0)).toEqual({ events: [], lastSeq: 0, lastRemovedSeq: 0 })
    })

    test('has only durable events', async () => {
      const store = await newStore()
      const order: string[] = []
      const accepted = accept(store, 'm1').then(() => order.push('accepted'))
      await page(store, 0).then(({ events }) => order.push(`read ${events}`))
      await accepted
      expect(order).toEqual(['accepted', 'read 1'])
    })
  })
}
