import { expect, test } from 'vitest'
import type { Message } from '../../../../src/domain/message/message.js'
import { findResult } from '../../../../src/server/store/stored-result.js'
import { accept, listEvents, listMessages, start } from '../rig.js'
import type { CreateDatabase, StoreOptions } from './test-database.js'

export function testIdempotency(createDatabase: CreateDatabase): void {
  const createStore = async (options: StoreOptions = {}) => (await createDatabase()).open(options)
  const once = { account: 'a', key: 'k', digest: 'd', until: start + 1000 }

  test('a repeated request gets the first result and changes nothing', async () => {
    const store = await createStore()
    const first = await accept(store, 'm1', {}, once)
    await store.messages.change('a', 'm1', found => ({
      message: { ...(found as Message), text: 'new' },
    }))
    expect(await accept(store, 'm2', {}, once)).toEqual(first)
    expect(await listMessages(store)).toHaveLength(1)
    expect(await listEvents(store)).toHaveLength(1)
  })

  test('the first result of a key is found until it expires', async () => {
    const database = await createDatabase()
    let now = start
    const store = await database.open({ now: () => now })
    expect(await findResult(store.messages, once)).toBeUndefined()
    const first = await accept(store, 'm1', {}, once)
    expect(await findResult(store.messages, once)).toEqual(first)
    expect(await findResult(store.messages, { ...once, key: 'l' })).toBeUndefined()
    expect(await findResult(store.messages, { ...once, account: 'b' })).toBeUndefined()
    const other = findResult(store.messages, { ...once, digest: 'other' })
    await expect(other).rejects.toMatchObject({ code: 'invalid_request' })
    now = start + 1000
    expect(await findResult(store.messages, { ...once, digest: 'other' })).toBeUndefined()
  })

  test('first results are found by their keys, for any request, until they expire', async () => {
    const database = await createDatabase()
    let now = start
    const store = await database.open({ now: () => now })
    const first = await accept(store, 'm1', {}, once)
    const lasting = await accept(store, 'm2', {}, { ...once, key: 'l', until: start + 2000 })
    const find = async (account = 'a') =>
      (await store.messages.findResults(account, ['x', 'k', 'l'])).map(each => each?.message)
    expect(await find()).toEqual([undefined, first, lasting])
    expect(await find('b')).toEqual([undefined, undefined, undefined])
    now = start + 1000
    expect(await find()).toEqual([undefined, undefined, lasting])
  })

  test('requests with the same key at the same time create one message', async () => {
    const store = await createStore()
    const created = ['m1', 'm2', 'm3'].map(id => accept(store, id, {}, once))
    expect((await Promise.all(created)).map(message => message?.id)).toEqual(['m1', 'm1', 'm1'])
    expect(await listMessages(store)).toHaveLength(1)
  })

  test('another request with the same key is rejected', async () => {
    const store = await createStore()
    await accept(store, 'm1', {}, once)
    const rejected = accept(store, 'm2', {}, { ...once, digest: 'other' })
    await expect(rejected).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await listMessages(store)).toHaveLength(1)
  })

  test.each([
    ['of another account', { account: 'b' }],
    ['of another name', { key: 'K' }],
  ])('a key %s is another key', async (_, changes) => {
    const store = await createStore()
    await accept(store, 'm1', {}, once)
    expect((await accept(store, 'm2', {}, { ...once, ...changes }))?.id).toBe('m2')
  })

  test('a rejected request may be repeated with its key', async () => {
    const store = await createStore()
    const failed = store.messages.change(
      'a',
      'm1',
      () => {
        throw new Error('no')
      },
      { idempotencyKey: once },
    )
    await expect(failed).rejects.toThrow('no')
    expect((await accept(store, 'm2', {}, once))?.id).toBe('m2')
  })

  test('a key is stored until it expires, also over a restart', async () => {
    const database = await createDatabase()
    let now = start
    const store = await database.open()
    await accept(store, 'm1', {}, once)
    await store.close()
    const again = await database.open({ now: () => now })
    now = start + 999
    expect((await accept(again, 'm2', {}, once))?.id).toBe('m1')
    now = start + 1000
    const later = { ...once, digest: 'other', until: start + 2000 }
    expect((await accept(again, 'm3', {}, later))?.id).toBe('m3')
    expect((await accept(again, 'm4', {}, later))?.id).toBe('m3')
  })

  test('keys are removed with their account, and those of others stay', async () => {
    const store = await createStore()
    await accept(store, 'm1', {}, once)
    await accept(store, 'm2', { account: 'b' }, { ...once, account: 'b' })
    await store.accounts.remove('a')
    expect((await accept(store, 'm3', {}, { ...once, digest: 'other' }))?.id).toBe('m3')
    expect((await accept(store, 'm4', {}, { ...once, account: 'b' }))?.id).toBe('m2')
  })
}
