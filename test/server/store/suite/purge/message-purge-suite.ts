import { describe, expect, test } from 'vitest'
import {
  type Message,
  type Status,
  statusNames,
} from '../../../../../src/domain/message/message.js'
import { applyDeliverySuccess } from '../../../../../src/domain/webhook/subscription.js'
import type { DecideMessage, Retention } from '../../../../../src/server/store/message-store.js'
import type { Store } from '../../../../../src/server/store/store.js'
import {
  accept,
  addUp,
  draftWith,
  listEvents,
  listMessages,
  messageWith,
  next,
  start,
} from '../../rig.js'
import type { CreateDatabase, StoreOptions } from '../test-database.js'

export function testMessagePurge(createDatabase: CreateDatabase): void {
  const createStore = async (options: StoreOptions = {}) => (await createDatabase()).open(options)
  const letters = Object.keys(statusNames) as Status[]
  const hour = 3_600_000

  /** Deletes messages that became final or deleted before, unless an event waits. */
  async function purge(
    store: Store,
    before: number,
    changes: Partial<Retention> = {},
  ): Promise<number> {
    return await addUp(store.messages.purge({ before, always: 0, ...changes }))
  }

  /** Stores messages as they are, in one turn. */
  async function put(store: Store, messages: readonly Message[]): Promise<void> {
    await Promise.all(
      messages.map(message =>
        store.messages.change(message.account, message.id, () => ({ message })),
      ),
    )
  }

  async function recordSent(store: Store, message: Message): Promise<void> {
    const { id, account } = message
    await store.messages.change(account, id, () => ({ message, events: ['message.sent'] }))
  }

  const idsOf = async (store: Store, account = 'a') =>
    (await listMessages(store, account)).map(each => each.id).join(' ')

  /** Opens a store with a clock that starts at {@link start}. */
  async function openClocked() {
    const clock = { now: start }
    return { clock, store: await createStore({ now: () => clock.now }) }
  }

  describe('expired messages', () => {
    test('are deleted if they are final or deleted, and in no other state', async () => {
      const store = await createStore()
      await put(
        store,
        letters.map(status => messageWith(status, { status })),
      )
      expect(await purge(store, start + 1)).toBe(4)
      expect((await listMessages(store)).map(({ id }) => id).sort()).toEqual(['E', 'L', 'N'])
      expect(await store.messages.get('a', 'S')).toBeUndefined()
    })

    test('are those with an older `statusAt`, to the millisecond, whenever created', async () => {
      const store = await createStore()
      const at = (id: string, statusAt: number) => messageWith(id, { status: 'S', statusAt })
      await put(store, [
        at('m1', start + 9),
        at('m2', start + 10),
        at('m3', start),
        at('m4', start + 11),
      ])
      expect(await purge(store, start + 10)).toBe(2)
      expect(await idsOf(store)).toBe('m2 m4')
    })

    test('of all accounts are deleted', async () => {
      const store = await createStore()
      await put(
        store,
        ['a', 'b', 'c'].map(account => messageWith(account, { account, status: 'F' })),
      )
      expect(await purge(store, start + 1)).toBe(3)
    })

    test('stay deleted after restarts', async () => {
      const database = await createDatabase()
      const store = await database.open()
      await put(store, [messageWith('m1', { status: 'S' }), messageWith('m2')])
      await purge(store, start + 1)
      await store.close()
      for (let restart = 0; restart < 3; restart += 1) {
        const again = await database.open()
        expect(await idsOf(again)).toBe('m2')
        expect(await next(again, 'phone')).toBe('m2')
        await again.close()
      }
    })

    test('are deleted without an event or a notification', async () => {
      const store = await createStore()
      await accept(store, 'm1')
      await put(store, [messageWith('m1', { status: 'S' })])
      const events = await listEvents(store)
      const notified: unknown[] = []
      store.watch(change => notified.push(change))
      expect(await purge(store, start + 1)).toBe(1)
      expect(notified).toEqual([])
      expect(await listEvents(store)).toEqual(events)
    })

    test('that waited long are deleted when they have been final long enough', async () => {
      const { clock, store } = await openClocked()
      await put(store, [messageWith('m1'), messageWith('m2', { status: 'L' }), messageWith('m3')])
      clock.now = start + 10 * hour
      expect(await purge(store, clock.now - hour)).toBe(0)
      await put(store, [messageWith('m1', { status: 'S', statusAt: clock.now })])
      clock.now += hour
      expect(await purge(store, clock.now - hour)).toBe(0)
      clock.now += 1
      expect(await purge(store, clock.now - hour)).toBe(1)
      expect(await idsOf(store)).toBe('m2 m3')
    })

    test('are deleted each at its time, also if they became final out of order', async () => {
      const { clock, store } = await openClocked()
      const minutes = [3, 1, 2]
      await put(
        store,
        minutes.map(each => messageWith(`m${each}`, { status: 'S', statusAt: start + each })),
      )
      for (const minute of [1, 2, 3]) {
        clock.now = start + minute + 1
        expect(await purge(store, clock.now)).toBe(1)
      }
      expect(await idsOf(store)).toBe('')
    })

    test('are deleted although the clock was far ahead for a while', async () => {
      const { clock, store } = await openClocked()
      await put(store, [messageWith('m1')])
      clock.now = start + 1000 * hour
      await purge(store, clock.now - hour)
      clock.now = start + 1
      await purge(store, clock.now - hour)
      await put(store, [messageWith('m1', { status: 'S', statusAt: clock.now })])
      clock.now += hour + 1
      expect(await purge(store, clock.now - hour)).toBe(1)
    })

    test('that are undeleted at the same time stay, unless they were deleted first', async () => {
      const store = await createStore()
      const undelete: DecideMessage = message =>
        message === undefined ? {} : { message: { ...message, status: 'N' } }
      for (const [at, id] of ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'].entries()) {
        await put(store, [messageWith(id, { status: 'D' })])
        const purgeFirst = at % 2 === 0 ? purge(store, start + 1) : undefined
        const undeleted = store.messages.change('a', id, undelete)
        const purged = await (purgeFirst ?? purge(store, start + 1))
        const kept = await undeleted
        expect(purged).toBe(kept === undefined ? 1 : 0)
        expect(await next(store, `phone of ${id}`)).toBe(kept?.id)
      }
    })
  })

  describe('an expired message with an undelivered event', () => {
    async function openAwaited() {
      const { clock, store } = await openClocked()
      const { id } = await store.subscriptions.create(draftWith('s1', { event: 'message.sent' }))
      for (const [at, message] of ['m1', 'm2'].entries()) {
        clock.now = start + at * hour
        const sent = messageWith(message, { status: 'S', statusAt: clock.now })
        await recordSent(store, sent)
      }
      const deliver = async () => {
        const cursor = (await store.subscriptions.get(id))?.cursor ?? 0
        const [event] = await store.events.listAfter('a', 'message.sent', cursor, 1)
        await store.subscriptions.change(id, it => applyDeliverySuccess(it, event?.seq ?? 0))
      }
      clock.now = start + 9 * hour
      return { store, clock, deliver }
    }

    test('stays until the event is delivered', async () => {
      const { store, clock, deliver } = await openAwaited()
      expect(await purge(store, clock.now)).toBe(0)
      await deliver()
      expect(await purge(store, clock.now)).toBe(1)
      expect(await idsOf(store)).toBe('m2')
      await deliver()
      expect(await purge(store, clock.now)).toBe(1)
    })

    test('stays although the event was recorded a moment after `statusAt`', async () => {
      const { clock, store } = await openClocked()
      await store.subscriptions.create(draftWith('s1', { event: 'message.sent' }))
      const sent = messageWith('m1', { status: 'S' })
      clock.now += 3
      await recordSent(store, sent)
      expect(await purge(store, start + 9 * hour)).toBe(0)
    })

    test('is deleted if it is older than `always`', async () => {
      const { store, clock } = await openAwaited()
      expect(await purge(store, clock.now, { always: start })).toBe(0)
      expect(await purge(store, clock.now, { always: start + 1 })).toBe(1)
      expect(await idsOf(store)).toBe('m2')
    })

    test('stays for the subscription with the lowest cursor', async () => {
      const { store, clock, deliver } = await openAwaited()
      await store.subscriptions.create(draftWith('s2', { event: 'message.sent' }))
      const last = messageWith('m3', { status: 'S', statusAt: clock.now })
      await recordSent(store, last)
      await deliver()
      expect(await purge(store, clock.now + 1)).toBe(1)
      expect(await idsOf(store)).toBe('m2 m3')
    })

    test('delays the deletion in its own account only', async () => {
      const { store, clock } = await openAwaited()
      await put(store, [messageWith('m3', { account: 'b', status: 'S', statusAt: start + hour })])
      expect(await purge(store, clock.now)).toBe(1)
      expect(await idsOf(store, 'b')).toBe('')
    })
  })
}
