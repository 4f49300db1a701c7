import { describe, expect, test } from 'vitest'
import type { EventName } from '../../../../../src/domain/webhook/event.js'
import type { Store } from '../../../../../src/server/store/store.js'
import { accept, acceptAll, addUp, draftWith, listEvents, messageWith, start } from '../../rig.js'
import type { CreateDatabase, StoreOptions } from '../test-database.js'

export function testEventPurge(createDatabase: CreateDatabase): void {
  const createStore = async (options: StoreOptions = {}) => (await createDatabase()).open(options)
  const many = 1e9

  /** Deletes events recorded before, at any number. */
  async function purge(store: Store, before = start + 1, maxPerName = many): Promise<number> {
    return await addUp(store.events.purge(before, maxPerName))
  }

  const listLeft = async (store: Store, account = 'a') =>
    (await listEvents(store, account)).map(each => each.message).join(' ')

  async function pass(store: Store, id: string, seq: number): Promise<void> {
    await store.subscriptions.change(id, it => ({ ...it, cursor: seq }))
  }

  async function record(store: Store, id: string, event: EventName): Promise<void> {
    await store.messages.change('a', id, () => ({ message: messageWith(id), events: [event] }))
  }

  describe('old events', () => {
    test('without a subscription are deleted by their time, to the millisecond', async () => {
      let now = start
      const store = await createStore({ now: () => now })
      await acceptAll(store, ['m1', 'm2'])
      now += 1
      await acceptAll(store, ['m3'])
      await accept(store, 'm4', { account: 'b' })
      expect(await purge(store, start)).toBe(0)
      expect(await purge(store, start + 1)).toBe(2)
      expect([await listLeft(store), await listLeft(store, 'b')]).toEqual(['m3', 'm4'])
    })

    test('are deleted when every subscription to them has passed them', async () => {
      const store = await createStore()
      for (const id of ['s1', 's2']) await store.subscriptions.create(draftWith(id))
      await acceptAll(store, ['m1', 'm2', 'm3'])
      await pass(store, 's1', 3)
      expect(await purge(store)).toBe(0)
      await pass(store, 's2', 2)
      expect(await purge(store)).toBe(2)
      expect(await listLeft(store)).toBe('m3')
      await store.subscriptions.remove('s2')
      expect(await purge(store)).toBe(1)
    })

    test('are not retained for subscriptions to other events or of other accounts', async () => {
      const store = await createStore()
      await store.subscriptions.create(draftWith('s1', { event: 'message.sent' }))
      await store.subscriptions.create(draftWith('s2', { account: 'b' }))
      await acceptAll(store, ['m1'])
      await record(store, 'm1', 'message.sent')
      expect(await purge(store)).toBe(1)
      expect((await listEvents(store)).map(each => each.event)).toEqual(['message.sent'])
    })

    test('above the number of a name are deleted, the oldest first, when delivered', async () => {
      const store = await createStore()
      await acceptAll(store, ['m1', 'm2', 'm3', 'm4'])
      await record(store, 'm1', 'message.sent')
      expect(await purge(store, 0, 3)).toBe(1)
      expect(await listLeft(store)).toBe('m2 m3 m4 m1')
      await store.subscriptions.create(draftWith('s1'))
      await acceptAll(store, ['m5', 'm6'])
      expect(await purge(store, 0, 1)).toBe(3)
      expect(await listLeft(store)).toBe('m1 m5 m6')
    })

    test('leave their numbers used after restarts', async () => {
      const database = await createDatabase()
      const store = await database.open()
      await acceptAll(store, ['m1', 'm2', 'm3'])
      await purge(store)
      await store.close()
      for (const seq of [4, 5]) {
        const again = await database.open()
        await accept(again, `m${seq}`)
        expect((await listEvents(again)).map(each => each.seq)).toEqual([seq])
        await purge(again)
        await again.close()
      }
    })

    test('hide no later event from a subscription that is created after them', async () => {
      const database = await createDatabase()
      const store = await database.open()
      await acceptAll(store, ['m1', 'm2'])
      await purge(store)
      await store.close()
      const again = await database.open()
      const { cursor } = await again.subscriptions.create(draftWith('s1'))
      await accept(again, 'm3')
      const events = await again.events.listAfter('a', 'message.create', cursor, many)
      expect(events.map(each => each.message)).toEqual(['m3'])
    })
  })
}
