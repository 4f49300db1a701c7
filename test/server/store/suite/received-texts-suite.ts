import { describe, expect, test } from 'vitest'
import { blockMessage } from '../../../../src/domain/message/claim.js'
import {
  decideReceivedText,
  type ReceivedText,
} from '../../../../src/domain/phone/received-text.js'
import { addReceivedText, listDoNotText } from '../../../../src/server/store/do-not-text.js'
import type {
  DecideReceivedText,
  ReceivedTextQuery,
} from '../../../../src/server/store/received-text-store.js'
import type { Store } from '../../../../src/server/store/store.js'
import { accept, accountWith, addUp, draftWith, listEvents, listMessages, start } from '../rig.js'
import type { CreateDatabase, StoreOptions } from './test-database.js'

export function testReceivedTexts(createDatabase: CreateDatabase): void {
  const createStore = async (options: StoreOptions = {}) => (await createDatabase()).open(options)
  const number = '+12025550143'

  const textWith = (id: string, changes: Partial<ReceivedText> = {}): ReceivedText => ({
    ...{ id, account: 'a', from: number, number, text: 'hello' },
    ...{ receivedAt: start, createdAt: start, ...changes },
  })

  async function add(store: Store, received: ReceivedText): Promise<ReceivedText> {
    const decide: DecideReceivedText = facts =>
      decideReceivedText(received, { ...facts, replyId: 'none' }, {})
    return await addReceivedText(store, received, decide, message => blockMessage(message, start))
  }

  const idsOf = async (store: Store, count = 1e9, before?: string, account = 'a') =>
    (await store.receivedTexts.list({ account, count, before })).map(each => each.id).join(' ')

  const kinds = async (store: Store) =>
    (await listEvents(store)).map(each => [each.event, each.message])

  describe('a received text', () => {
    test('is stored durably with its event', async () => {
      const database = await createDatabase()
      const store = await database.open()
      const stored = await add(store, textWith('r1', { phone: 'pixel' }))
      expect(stored).toEqual({ ...textWith('r1', { phone: 'pixel' }), event: 1 })
      for (const reader of [store, await database.openCopy()]) {
        expect(await reader.receivedTexts.get('r1')).toEqual(stored)
        expect(await kinds(reader)).toEqual([['message.received', 'r1']])
        expect(await reader.receivedTexts.get('none')).toBeUndefined()
      }
    })

    test('is listed with the others from its number, the newest first', async () => {
      const database = await createDatabase()
      const store = await database.open()
      for (const id of ['r1', 'r3', 'r2']) await add(store, textWith(id))
      await add(store, textWith('r4', { number: '+2' }))
      await add(store, textWith('r5', { account: 'b' }))
      const { number: _, ...named } = textWith('r6', { from: number })
      await add(store, named)
      for (const { receivedTexts } of [store, await database.openCopy()]) {
        const list = async (query: Omit<ReceivedTextQuery, 'account'>) =>
          (await receivedTexts.list({ account: 'a', ...query })).map(({ id }) => id)
        expect(await list({ number, count: 9 })).toEqual(['r3', 'r2', 'r1'])
        expect(await list({ number, count: 1, before: 'r3' })).toEqual(['r2'])
        expect(await list({ number: '+3', count: 9 })).toEqual([])
      }
    })

    test('with STOP lists its sender and blocks waiting messages in one commit', async () => {
      const database = await createDatabase()
      const store = await database.open()
      await accept(store, 'm1')
      await accept(store, 'm2', { number: '+2' })
      await add(store, textWith('r1', { word: 'stop', text: 'Stop.' }))
      for (const reader of [store, await database.openCopy()]) {
        const origin = { reason: 'stop', by: number, note: 'Stop.' }
        expect(await listDoNotText(reader, 'a')).toEqual([
          { scope: 'a', number, at: start, ...origin },
        ])
        expect((await listMessages(reader)).map(each => each.status)).toEqual(['B', 'N'])
        const later = (await kinds(reader)).slice(2)
        expect(later).toEqual([
          ['number.blocked', number],
          ['message.blocked', 'm1'],
        ])
      }
    })

    test('that is reported again is not stored again, also after a restart', async () => {
      const database = await createDatabase()
      const store = await database.open()
      const once = { key: 'k', digest: 'd' }
      const first = await add(store, textWith('r1', { once }))
      for (const reader of [store, await database.openCopy()]) {
        expect(await add(reader, textWith('r2', { once }))).toEqual(first)
        const other = add(reader, textWith('r3', { once: { key: 'k', digest: 'other' } }))
        await expect(other).rejects.toMatchObject({ code: 'invalid_request' })
        await add(reader, textWith('r4', { account: 'b', once }))
        expect(await idsOf(reader)).toBe('r1')
        expect(await listEvents(reader)).toHaveLength(1)
      }
    })

    test('is removed with its account', async () => {
      const store = await createStore()
      for (const id of ['a', 'b']) await store.accounts.create(accountWith(id))
      const once = { key: 'k', digest: 'd' }
      await add(store, textWith('r1', { once }))
      await add(store, textWith('r2', { account: 'b' }))
      await store.accounts.remove('a')
      expect([await idsOf(store), await idsOf(store, 9, undefined, 'b')]).toEqual(['', 'r2'])
      expect(await add(store, textWith('r3', { once }))).toMatchObject({ id: 'r3' })
    })
  })

  test('received texts are listed in pages, the newest first', async () => {
    const database = await createDatabase()
    const store = await database.open()
    for (const id of ['r2', 'r4', 'r1', 'r5', 'r3']) await add(store, textWith(id))
    await add(store, textWith('r6', { account: 'b' }))
    for (const reader of [store, await database.openCopy()]) {
      expect(await idsOf(reader)).toBe('r5 r4 r3 r2 r1')
      expect(await idsOf(reader, 2)).toBe('r5 r4')
      expect(await idsOf(reader, 2, 'r4')).toBe('r3 r2')
      expect(await idsOf(reader, 2, 'r35')).toBe('r3 r2')
      expect(await idsOf(reader, 2, 'r1')).toBe('')
    }
  })

  describe('old received texts', () => {
    const purge = async (store: Store, before: number) =>
      await addUp(store.receivedTexts.purge(before))

    test('are deleted by the time at which they were stored, to the millisecond', async () => {
      const store = await createStore()
      await add(store, textWith('r1', { receivedAt: start - 1e9 }))
      await add(store, textWith('r2', { createdAt: start + 1 }))
      await add(store, textWith('r3', { account: 'b' }))
      expect(await purge(store, start)).toBe(0)
      expect(await purge(store, start + 1)).toBe(2)
      expect([await idsOf(store), await idsOf(store, 9, undefined, 'b')]).toEqual(['r2', ''])
    })

    test('stay until every subscription has passed their event', async () => {
      const store = await createStore()
      const event = 'message.received'
      for (const id of ['s1', 's2']) await store.subscriptions.create(draftWith(id, { event }))
      await store.subscriptions.create(draftWith('s3', { event: 'message.sent' }))
      for (const id of ['r1', 'r2', 'r3']) await add(store, textWith(id))
      const pass = async (id: string, cursor: number) =>
        await store.subscriptions.change(id, it => ({ ...it, cursor }))
      await pass('s1', 3)
      expect(await purge(store, start + 1)).toBe(0)
      await pass('s2', 2)
      expect(await purge(store, start + 1)).toBe(2)
      await store.subscriptions.remove('s2')
      expect(await purge(store, start + 1)).toBe(1)
    })

    test('are deleted in batches, and their keys can be used again', async () => {
      const store = await createStore()
      const once = (n: number) => ({ key: `k${n}`, digest: 'd' })
      const names = Array.from({ length: 600 }, (_, n) => `r${String(n).padStart(4, '0')}`)
      await Promise.all(names.map((id, n) => add(store, textWith(id, { once: once(n) }))))
      const batches: number[] = []
      for await (const removed of store.receivedTexts.purge(start + 1)) batches.push(removed)
      expect(batches.length).toBeGreaterThan(2)
      expect(batches.reduce((sum, each) => sum + each, 0)).toBe(600)
      expect(await add(store, textWith('r9', { once: once(5) }))).toMatchObject({ id: 'r9' })
      expect(await idsOf(store)).toBe('r9')
    })
  })
}
