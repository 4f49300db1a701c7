import { describe, expect, test } from 'vitest'
import { listAttempts, listReleases } from '../../../../src/domain/message/attempts.js'
import { renewLease } from '../../../../src/domain/message/claim.js'
import type { Message, MessageChange } from '../../../../src/domain/message/message.js'
import {
  releaseMessage,
  reportFailure,
  reportSuccess,
} from '../../../../src/domain/message/report.js'
import type { StoreChange } from '../../../../src/server/store/store.js'
import {
  accept,
  acceptAll,
  draftWith,
  fill,
  listMessages,
  messageWith,
  next,
  readContent,
  start,
} from '../rig.js'
import type { CreateDatabase } from './test-database.js'

function changeOf(account: string, changes: Partial<StoreChange>): StoreChange {
  return { account, messages: [], holders: [], events: [], subscriptions: [], ...changes }
}

export function testChanges(createDatabase: CreateDatabase): void {
  const createStore = async () => (await createDatabase()).open()

  test('a new store is empty', async () => {
    const store = await createStore()
    expect(await listMessages(store)).toEqual([])
    expect(await store.accounts.list()).toEqual([])
    expect(await store.messages.findNextAvailable('a')).toBeUndefined()
  })

  test('all records are there after each of three restarts', async () => {
    const database = await createDatabase()
    const first = await database.open()
    await fill(first)
    const before = await readContent(first)
    await first.close()
    for (let restart = 0; restart < 3; restart += 1) {
      const again = await database.open()
      expect(await readContent(again)).toEqual(before)
      expect(await next(again, 'phone')).toBe('m1')
      await again.close()
    }
  })

  test('a change that has resolved survives a crash', async () => {
    const database = await createDatabase()
    const store = await database.open()
    for (const id of ['m1', 'm2', 'm3']) {
      await accept(store, id)
      expect(await readContent(await database.openCopy())).toEqual(await readContent(store))
    }
    await next(store, 'phone')
    expect(await next(await database.openCopy(), 'phone')).toBe('m1')
  })

  test('the attempts of messages survive a crash, also of those that are final', async () => {
    const database = await createDatabase()
    const store = await database.open()
    await acceptAll(store, ['m1', 'm2', 'm3'])
    const by = { holder: 'phone', now: start, phone: 'attic' }
    const report = { error: 'kein "Netz"\t€', outcome: 'failed' } as const
    const change = async (id: string, decide: (message: Message) => MessageChange) =>
      await store.messages.change('a', id, message => decide(message as Message))
    const fail = async (id: string) =>
      await change(id, message => reportFailure(message, report, by, 'at-least-once'))
    for (const id of ['m1', 'm1', 'm1', 'm1', 'm1', 'm2', 'm3']) await fail(id)
    await change('m2', message => reportSuccess(message, { parts: 1 }, by))
    const failed = { at: start, outcome: 'failed', phone: 'attic', error: report.error }
    const sent = { at: start, outcome: 'sent', phone: 'attic' }
    const again = await database.openCopy()
    for (const reader of [store, again]) {
      const messages = await listMessages(reader)
      expect(messages.map(({ status }) => status)).toEqual(['F', 'S', 'E'])
      const attempts = messages.map(listAttempts)
      expect(attempts).toEqual([Array(5).fill(failed), [failed, sent], [failed]])
    }
  })

  test('the leases of messages survive a crash, also of those that are final', async () => {
    const database = await createDatabase()
    const store = await database.open()
    await acceptAll(store, ['m1', 'm2', 'm3'])
    const facts = { blocked: false }
    const by = { holder: 'p', now: start + 9000, lease: 120_000, phone: 'attic' }
    const renewal = { ...by, mode: 'at-least-once' } as const
    const change = async (id: string, decide: (message: Message) => MessageChange) =>
      await store.messages.change('a', id, message => decide(message as Message))
    expect(await next(store, 'p')).toBe('m1')
    await change('m1', message => releaseMessage(message, {}, by, facts))
    for (const [at, id] of ['m1', 'm2', 'm3'].entries()) {
      expect(await next(store, 'p', start + 10_000 + at)).toBe(id)
      if (id !== 'm1') await change(id, message => renewLease(message, renewal, facts))
      const done = { ...by, now: start + 20_000 }
      if (id !== 'm3') await change(id, message => reportSuccess(message, { parts: 1 }, done))
    }
    const released = { at: start + 9000, beganAt: start, phone: 'attic' }
    const sent = { at: start + 20_000, outcome: 'sent', phone: 'attic' }
    const again = await database.openCopy()
    for (const reader of [store, again]) {
      const messages = await listMessages(reader)
      expect(messages.map(({ status }) => status)).toEqual(['S', 'S', 'N'])
      expect(messages.map(listReleases)).toEqual([[released], [], []])
      const [first, second] = messages.map(each => listAttempts(each).at(-1))
      expect(first).toEqual({ ...sent, beganAt: start + 10_000 })
      expect(second).toEqual({ ...sent, beganAt: start + 10_001 })
      expect(messages[2]).toMatchObject({ leasedAt: start + 10_002 })
    }
  })

  test('a lease continues after a crash', async () => {
    const database = await createDatabase()
    const store = await database.open()
    await accept(store, 'm1')
    await next(store, 'phone')
    const again = await database.openCopy()
    expect(await next(again, 'other')).toBeUndefined()
    const listEnded = (now: number) => again.messages.listExpiredLeases(['a'], now, 9)
    expect((await listEnded(start + 120_000)).map(each => each.id)).toEqual(['m1'])
    expect(await listEnded(start + 119_999)).toEqual([])
  })

  test('a decision that throws changes nothing, and the caller gets the error', async () => {
    const store = await createStore()
    await accept(store, 'm1')
    const before = await readContent(store)
    const failed = store.messages.change('a', 'm1', () => {
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await readContent(store)).toEqual(before)
  })

  test('a listener gets each change of an account once, until it is removed', async () => {
    const store = await createStore()
    const changes: unknown[] = []
    const stop = store.watch(({ records: _, ...change }) => changes.push(change))
    await accept(store, 'm1', { account: 'b' })
    await store.subscriptions.create(draftWith('s1'))
    await store.subscriptions.remove('s1')
    await store.messages.change('b', 'm1', found => ({
      message: { ...(found as Message), text: 'new' },
    }))
    await store.messages.change('b', 'm1', () => ({}))
    stop()
    await accept(store, 'm2')
    expect(changes).toEqual([
      changeOf('b', { messages: ['m1'], events: ['message.create'] }),
      changeOf('a', { subscriptions: ['s1'] }),
      changeOf('a', { subscriptions: ['s1'] }),
      changeOf('b', { messages: ['m1'] }),
    ])
  })

  test('a listener learns which tokens hold changed messages that wait', async () => {
    const store = await createStore()
    await accept(store, 'm1')
    await next(store, 'phone')
    const holders: (readonly string[])[] = []
    store.watch(change => holders.push(change.holders))
    const text = 'new'
    await store.messages.change('a', 'm1', found => ({ message: { ...(found as Message), text } }))
    await store.messages.change('a', 'm1', found => ({
      message: { ...(found as Message), status: 'S' },
    }))
    expect(holders).toEqual([['phone'], []])
  })

  test('a message does not exist for other accounts', async () => {
    const store = await createStore()
    await accept(store, 'm1')
    expect(await store.messages.get('b', 'm1')).toBeUndefined()
    const seen: unknown[] = []
    await store.messages.change('b', 'm1', found => {
      seen.push(found)
      return {}
    })
    expect(seen).toEqual([undefined])
    expect(await store.messages.get('a', 'm1')).toEqual(messageWith('m1'))
  })

  describe('a closed store', () => {
    test('rejects changes', async () => {
      const store = await createStore()
      await store.close()
      await expect(accept(store, 'm1')).rejects.toMatchObject({ code: 'unavailable' })
    })

    test('has completed the changes in progress', async () => {
      const database = await createDatabase()
      const store = await database.open()
      const accepted = accept(store, 'm1')
      await store.close()
      await accepted
      expect(await (await database.open()).messages.get('a', 'm1')).toEqual(messageWith('m1'))
    })

    test('may be closed again', async () => {
      const store = await createStore()
      await store.close()
      await store.close()
    })
  })
}
