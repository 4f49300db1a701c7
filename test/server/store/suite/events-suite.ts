import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../src/domain/message/message.js'
import type { EventName } from '../../../../src/domain/webhook/event.js'
import type { Store } from '../../../../src/server/store/store.js'
import { accept, acceptAll, addUp, draftWith, listEvents, messageWith, start } from '../rig.js'
import type { CreateDatabase, StoreOptions } from './test-database.js'

export function testEvents(createDatabase: CreateDatabase): void {
  const createStore = async (options: StoreOptions = {}) => (await createDatabase()).open(options)
  async function record(store: Store, id: string, ...events: EventName[]): Promise<void> {
    await store.messages.change('a', id, message => ({ message: message as Message, events }))
  }

  describe('events', () => {
    test('are numbered from 1 in the order in which they were recorded', async () => {
      const store = await createStore()
      await Promise.all(['m1', 'm2', 'm3'].map(id => accept(store, id)))
      await record(store, 'm2', 'message.blocked', 'message.sent')
      const found = (await listEvents(store)).map(each => [each.seq, each.event, each.message])
      expect(found).toEqual([
        [1, 'message.create', 'm1'],
        [2, 'message.create', 'm2'],
        [3, 'message.create', 'm3'],
        [4, 'message.blocked', 'm2'],
        [5, 'message.sent', 'm2'],
      ])
    })

    test('are read by account and name, after a number, up to a count', async () => {
      const store = await createStore()
      await acceptAll(store, ['m1', 'm2', 'm3', 'm4'])
      await accept(store, 'm5', { account: 'b' })
      await record(store, 'm1', 'message.sent')
      const read = async (seq: number, count: number, account = 'a') => {
        const events = await store.events.listAfter(account, 'message.create', seq, count)
        return events.map(each => each.message).join(' ')
      }
      expect(await read(0, 9)).toBe('m1 m2 m3 m4')
      expect(await read(2, 1)).toBe('m3')
      expect(await read(4, 9)).toBe('')
      expect(await read(99, 9)).toBe('')
      expect(await read(0, 0)).toBe('')
      expect(await read(0, 9, 'b')).toBe('m5')
      expect(await read(0, 9, 'c')).toBe('')
    })

    test('of a change that throws are not recorded, and no number is used twice', async () => {
      const store = await createStore()
      await accept(store, 'm1')
      const failed = store.messages.change('a', 'm1', () => {
        throw new Error('no')
      })
      await expect(failed).rejects.toThrow('no')
      await accept(store, 'm2')
      const events = await listEvents(store)
      expect(events.map(each => each.message)).toEqual(['m1', 'm2'])
      expect(events[1]?.seq).toBeGreaterThan(1)
    })
  })

  test('event numbers grow over restarts', async () => {
    const database = await createDatabase()
    for (const expected of [1, 2, 3]) {
      const store = await database.open()
      await accept(store, `m${expected}`)
      expect((await listEvents(store)).at(-1)?.seq).toBe(expected)
      await store.close()
    }
  })

  test('a subscription starts after the events recorded before it', async () => {
    const database = await createDatabase()
    const store = await database.open()
    expect((await store.subscriptions.create(draftWith('s0'))).cursor).toBe(0)
    await accept(store, 'm1')
    const subscription = await store.subscriptions.create(draftWith('s1'))
    await accept(store, 'm2')
    expect(subscription.cursor).toBe(1)
    await store.close()
    const again = await database.open()
    expect(await again.subscriptions.get('s1')).toEqual(subscription)
    const events = await again.events.listAfter('a', 'message.create', subscription.cursor, 10)
    expect(events.map(each => each.message)).toEqual(['m2'])
  })

  test('subscriptions are listed whose listener made its last contact before a time', async () => {
    const database = await createDatabase()
    const store = await database.open()
    const listener = (seenAt: number) => ({ listener: { name: 'laptop', seenAt } })
    await store.subscriptions.create(draftWith('permanent'))
    await store.subscriptions.create({ ...draftWith('old'), ...listener(1999) })
    await store.subscriptions.create({ ...draftWith('new'), ...listener(2000) })
    expect(await store.subscriptions.listAbandoned(1999)).toEqual([])
    expect(await store.subscriptions.listAbandoned(2000)).toEqual(['old'])
    await store.subscriptions.change('old', current => ({ ...current, ...listener(3000) }))
    expect(await store.subscriptions.listAbandoned(3000)).toEqual(['new'])
    await store.close()
    const again = await database.open()
    expect(await again.subscriptions.listAbandoned(3000)).toEqual(['new'])
  })

  test('a decision on a subscription can ask for any of its events', async () => {
    const store = await createStore()
    await store.subscriptions.create(draftWith('s1'))
    await acceptAll(store, ['m1', 'm2', 'm3'])
    const found: unknown[] = []
    await store.subscriptions.change('s1', (current, { next, previous }) => {
      const around = [next(0), next(2), next(3), previous(1), previous(3)]
      found.splice(0, found.length, ...around.map(event => event?.message))
      return { ...current, cursor: 3 }
    })
    expect(found).toEqual(['m1', 'm3', undefined, undefined, 'm2'])
    expect((await store.subscriptions.get('s1'))?.cursor).toBe(3)
  })
}

export function testEventPages(createDatabase: CreateDatabase): void {
  const createStore = async (options: StoreOptions = {}) => (await createDatabase()).open(options)
  async function record(store: Store, id: string, event: EventName, account = 'a'): Promise<void> {
    const change = () => ({ message: messageWith(id, { account }), events: [event] })
    await store.messages.change(account, id, change)
  }

  async function fill(store: Store): Promise<void> {
    await record(store, 'm1', 'message.create')
    await record(store, 'm1', 'message.sent')
    await record(store, 'm2', 'message.create')
    await record(store, 'm2', 'message.failed')
    await record(store, 'x1', 'message.create', 'b')
  }

  const page = async (store: Store, after: number, count = 100, names?: readonly EventName[]) => {
    const found = await store.events.getPage({ account: 'a', after, count, names })
    return { ...found, events: found.events.map(each => each.seq) }
  }

  describe('a page of events', () => {
    test('has the events of all names in one order, and the newest number', async () => {
      const store = await createStore()
      expect(await page(store, 0)).toEqual({ events: [], lastSeq: 0, lastRemovedSeq: 0 })
      await fill(store)
      expect(await page(store, 0)).toEqual({ events: [1, 2, 3, 4], lastSeq: 4, lastRemovedSeq: 0 })
      expect(await page(store, 1, 2)).toEqual({ events: [2, 3], lastSeq: 4, lastRemovedSeq: 0 })
      expect((await page(store, 5)).events).toEqual([])
      expect((await page(store, 0, 9, ['message.create', 'message.failed'])).events).toEqual([
        1, 3, 4,
      ])
    })

    test('starts at the last N events', async () => {
      const store = await createStore()
      await fill(store)
      expect((await page(store, -2)).events).toEqual([3, 4])
      expect((await page(store, -3, 2)).events).toEqual([2, 3])
      expect((await page(store, -1, 9, ['message.create'])).events).toEqual([3])
      expect((await page(store, -99)).events).toEqual([1, 2, 3, 4])
    })

    test('has the last deleted number of its names, also after restarts', async () => {
      const database = await createDatabase()
      let now = start
      const store = await database.open({ now: () => now })
      await fill(store)
      now += 10
      await record(store, 'm3', 'message.create')
      expect(await addUp(store.events.purge(start + 1, 1e9))).toBe(5)
      await store.close()
      for (let restart = 0; restart < 2; restart += 1) {
        const again = await database.open()
        const { events, lastSeq, lastRemovedSeq } = await page(again, 0)
        expect(lastRemovedSeq).toBe(4)
        expect(events).toEqual([lastSeq])
        expect(await page(again, 0, 9, ['message.sent'])).toEqual({
          events: [],
          lastSeq,
          lastRemovedSeq: 2,
        })
        await again.close()
      }
      const last = await database.open()
      await last.accounts.remove('a')
      expect(await page(last, 0)).toEqual({ events: [], lastSeq: 0, lastRemovedSeq: 0 })
    })
  })
}
