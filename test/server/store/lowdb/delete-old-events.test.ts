import { describe, expect, test } from 'vitest'
import type { EventName } from '../../../../src/domain/webhook/event.js'
import { exportData, importData } from '../../../../src/server/store/lowdb/journal/data-tools.js'
import type { Store } from '../../../../src/server/store/store.js'
import {
  accept,
  acceptAll,
  draftWith,
  eventsOf,
  messageWith,
  newFolder,
  newStore,
  openStore,
  start,
  sumOf,
} from '../rig.js'

const many = 1e9

/** Removes events recorded before, however few there are. */
async function purge(store: Store, before = start + 1, most = many): Promise<number> {
  return await sumOf(store.events.purge(before, most))
}

const left = async (store: Store, account = 'a') =>
  (await eventsOf(store, account)).map(each => each.message).join(' ')

/** Moves a subscription past an event. */
async function pass(store: Store, id: string, seq: number): Promise<void> {
  await store.subscriptions.change(id, it => ({ ...it, cursor: seq }))
}

async function record(store: Store, id: string, event: EventName): Promise<void> {
  await store.messages.change(id, () => ({ message: messageWith(id), events: [event] }))
}

describe('old events', () => {
  test('are removed when nobody subscribed to them, by their time to the millisecond', async () => {
    let now = start
    const store = await newStore({ now: () => now })
    await acceptAll(store, ['m1', 'm2'])
    now += 1
    await acceptAll(store, ['m3'])
    await accept(store, 'm4', { account: 'b' })
    expect(await purge(store, start)).toBe(0)
    expect(await purge(store, start + 1)).toBe(2)
    expect([await left(store), await left(store, 'b')]).toEqual(['m3', 'm4'])
  })

  test('are removed when every subscription to them has passed them', async () => {
    const store = await newStore()
    for (const id of ['s1', 's2']) await store.subscriptions.create(draftWith(id))
    await acceptAll(store, ['m1', 'm2', 'm3'])
    await pass(store, 's1', 3)
    expect(await purge(store)).toBe(0)
    await pass(store, 's2', 2)
    expect(await purge(store)).toBe(2)
    expect(await left(store)).toBe('m3')
    await store.subscriptions.remove('s2')
    expect(await purge(store)).toBe(1)
  })

  test('are not kept for a subscription to other events, or of another account', async () => {
    const store = await newStore()
    await store.subscriptions.create(draftWith('s1', { event: 'message.sent' }))
    await store.subscriptions.create(draftWith('s2', { account: 'b' }))
    await acceptAll(store, ['m1'])
    await record(store, 'm1', 'message.sent')
    expect(await purge(store)).toBe(1)
    expect((await eventsOf(store)).map(each => each.event)).toEqual(['message.sent'])
  })

  test('go by number too where there are too many of a name, oldest first, but not before they are delivered', async () => {
    const store = await newStore()
    await acceptAll(store, ['m1', 'm2', 'm3', 'm4'])
    await record(store, 'm1', 'message.sent')
    expect(await purge(store, 0, 3)).toBe(1)
    expect(await left(store)).toBe('m2 m3 m4 m1')
    await store.subscriptions.create(draftWith('s1'))
    await acceptAll(store, ['m5', 'm6'])
    expect(await purge(store, 0, 1)).toBe(3)
    expect(await left(store)).toBe('m1 m5 m6')
  })

  test.each([0, many])(
    'leave their numbers used, opened again and folded above %d',
    async foldAbove => {
      const folder = await newFolder()
      const store = await openStore(folder)
      await acceptAll(store, ['m1', 'm2', 'm3'])
      await purge(store)
      await store.close()
      for (const seq of [4, 5]) {
        const again = await openStore(folder, { compactAbove: foldAbove })
        await accept(again, `m${seq}`)
        expect((await eventsOf(again)).map(each => each.seq)).toEqual([seq])
        await purge(again)
        await again.close()
      }
    },
  )

  test('leave their numbers used over an export and an import', async () => {
    const folder = await newFolder()
    const store = await openStore(folder)
    await acceptAll(store, ['m1', 'm2', 'm3'])
    await purge(store)
    const copy = await newFolder()
    await importData(copy, exportData(folder))
    const again = await openStore(copy)
    const { cursor } = await again.subscriptions.create(draftWith('s1'))
    await accept(again, 'm4')
    expect(cursor).toBe(3)
    expect((await eventsOf(again)).map(each => each.seq)).toEqual([4])
  })

  test('hide nothing from a subscription that is made afterwards', async () => {
    const folder = await newFolder()
    const store = await openStore(folder)
    await acceptAll(store, ['m1', 'm2'])
    await purge(store)
    await store.close()
    const again = await openStore(folder)
    const { cursor } = await again.subscriptions.create(draftWith('s1'))
    await accept(again, 'm3')
    const events = await again.events.listAfter('a', 'message.create', cursor, many)
    expect(events.map(each => each.message)).toEqual(['m3'])
  })
})
