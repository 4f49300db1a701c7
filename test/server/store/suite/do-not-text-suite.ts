import { expect, test } from 'vitest'
import { buildListKey, type ListPageQuery } from '../../../../src/domain/list-key.js'
import { blockMessage } from '../../../../src/domain/message/claim.js'
import type { Message } from '../../../../src/domain/message/message.js'
import { addToDoNotText, listDoNotText } from '../../../../src/server/store/do-not-text.js'
import type { Store } from '../../../../src/server/store/store.js'
import { accept, listEvents, listMessages, messageWith, next, start } from '../rig.js'
import type { CreateDatabase, StoreOptions } from './test-database.js'

export function testDoNotText(createDatabase: CreateDatabase): void {
  const createStore = async (options: StoreOptions = {}) => (await createDatabase()).open(options)
  const number = '+12025550143'

  async function add(store: Store, scope: string, at = start) {
    const decide = (message: Message) => blockMessage(message, at)
    return (await addToDoNotText(store, [{ scope, number, at }], at, decide))[0]
  }

  async function readStates(store: Store): Promise<string> {
    const messages = [...(await listMessages(store, 'a')), ...(await listMessages(store, 'b'))]
    return messages.map(message => message.id + message.status).join(' ')
  }

  async function acceptWaiting(store: Store): Promise<void> {
    await accept(store, 'a1')
    await accept(store, 'a2', { number: '+2' })
    await accept(store, 'a3', { status: 'L' })
    await accept(store, 'b1', { account: 'b', status: 'E' })
    await accept(store, 'b2', { account: 'b', sendAt: start + 1e9 })
  }

  test.each([
    ['*', 'a1B a2N a3L b1B b2B'],
    ['a', 'a1B a2N a3L b1E b2N'],
    ['b', 'a1N a2N a3L b1B b2B'],
    ['c', 'a1N a2N a3L b1E b2N'],
  ])('adding a number for %s blocks the messages that wait for it', async (scope, expected) => {
    const database = await createDatabase()
    const store = await database.open()
    await acceptWaiting(store)
    await add(store, scope)
    expect(await readStates(store)).toBe(expected)
    const blocked = [...(await listEvents(store, 'a')), ...(await listEvents(store, 'b'))].filter(
      each => each.event === 'message.blocked',
    )
    expect(blocked).toHaveLength(expected.split('B').length - 1)
    await store.close()
    expect(await readStates(await database.open())).toBe(expected)
  })

  test('a message with a lease is not blocked until the lease has ended', async () => {
    const store = await createStore()
    await accept(store, 'a1')
    await next(store, 'p')
    await add(store, '*', start + 119_999)
    expect(await readStates(store)).toBe('a1N')
    await store.doNotText.remove('*', number, start)
    await add(store, '*', start + 120_000)
    expect(await readStates(store)).toBe('a1B')
  })

  test('adding a listed number changes neither its entry nor messages', async () => {
    const store = await createStore()
    const first = await add(store, '*')
    await store.messages.change('a', 'a1', () => ({ message: messageWith('a1') }))
    expect(await add(store, '*', start + 5)).toEqual(first)
    expect(await readStates(store)).toBe('a1N')
  })

  test('entries are listed by scope and removed once', async () => {
    const store = await createStore()
    await add(store, '*')
    await add(store, 'a')
    expect(await listDoNotText(store, 'a')).toEqual([{ scope: 'a', number, at: start }])
    const removed = [
      store.doNotText.remove('a', number, start),
      store.doNotText.remove('a', number, start),
    ]
    expect(await Promise.all(removed)).toEqual([{ scope: 'a', number, at: start }, undefined])
    expect(await listDoNotText(store, 'a')).toEqual([])
    expect(await listDoNotText(store, '*')).toHaveLength(1)
  })

  test('entries are paged by their keys in both orders, and counted up to a number', async () => {
    const { doNotText } = await createStore()
    const entries = [3, 1, 2, 2, 4].map((at, n) => ({ scope: 'a', number: `+${n}`, at }))
    await doNotText.add(entries, start, () => ({}))
    await doNotText.add([{ scope: 'b', number: '+9', at: 2 }], start, () => ({}))
    const getNumbers = async (query: ListPageQuery) =>
      (await doNotText.getPage('a', query)).map(({ number }) => number).join(' ')
    expect(await getNumbers({ count: 9 })).toBe('+1 +2 +3 +0 +4')
    expect(await getNumbers({ count: 2, order: 'desc' })).toBe('+4 +0')
    const key = buildListKey(2, '+3')
    expect(await getNumbers({ count: 9, after: key })).toBe('+0 +4')
    expect(await getNumbers({ count: 9, after: key, order: 'desc' })).toBe('+2 +1')
    expect(await doNotText.getPage('c', { count: 9, order: 'desc' })).toEqual([])
    const counts = [doNotText.count('a', 9), doNotText.count('a', 3), doNotText.count('c', 9)]
    expect(await Promise.all(counts)).toEqual([5, 3, 0])
  })

  test.each([
    ['*', 'a', true],
    ['a', 'a', true],
    ['b', 'a', false],
  ])('a number listed for %s is blocked for account %s: %s', async (scope, account, blocked) => {
    const store = await createStore()
    await add(store, scope)
    let blockedFact: boolean | undefined
    const decide = (_: Message | undefined, facts: { blocked: boolean }) => {
      blockedFact = facts.blocked
      return {}
    }
    await store.messages.change(account, 'none', decide, { number })
    expect(blockedFact).toBe(blocked)
    await store.messages.change(account, 'none', decide, { number: '+2' })
    expect(blockedFact).toBe(false)
  })

  test('a decision gets the facts of the number in the options, not of the message', async () => {
    const store = await createStore()
    await accept(store, 'a1', { number: '+2' })
    await add(store, 'a')
    // The last run of a decision counts: a store may decide again.
    let blocked: boolean | undefined
    const decide = (_: Message | undefined, facts: { blocked: boolean }) => {
      blocked = facts.blocked
      return {}
    }
    await store.messages.change('a', 'a1', decide)
    expect(blocked).toBe(false)
    await store.messages.change('a', 'a1', decide, { number })
    expect(blocked).toBe(true)
  })
}
