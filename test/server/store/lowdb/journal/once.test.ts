import { expect, test } from 'vitest'
import type { Message } from '../../../../../src/domain/message/message.js'
import { inspectData } from '../../../../../src/server/store/lowdb/journal/inspect-data.js'
import { accept, eventsOf, messagesOf, newFolder, newStore, openStore, start } from '../../rig.js'

const once = { account: 'a', key: 'k', digest: 'd', until: start + 1000 }

test('a repeated request gives the first result and does nothing', async () => {
  const store = await newStore()
  const first = await accept(store, 'm1', {}, once)
  await store.messages.change('m1', found => ({ message: { ...(found as Message), text: 'new' } }))
  expect(await accept(store, 'm2', {}, once)).toEqual(first)
  expect(await messagesOf(store)).toHaveLength(1)
  expect(await eventsOf(store)).toHaveLength(1)
})

test('requests with one key at the same time do it once', async () => {
  const store = await newStore()
  const asked = ['m1', 'm2', 'm3'].map(id => accept(store, id, {}, once))
  expect((await Promise.all(asked)).map(message => message?.id)).toEqual(['m1', 'm1', 'm1'])
  expect(await messagesOf(store)).toHaveLength(1)
})

test('another request with the same key is refused', async () => {
  const store = await newStore()
  await accept(store, 'm1', {}, once)
  const refused = accept(store, 'm2', {}, { ...once, digest: 'other' })
  await expect(refused).rejects.toMatchObject({ code: 'invalid_request' })
  expect(await messagesOf(store)).toHaveLength(1)
})

test.each([
  ['of another account', { account: 'b' }],
  ['of another name', { key: 'K' }],
])('a key %s is another key', async (_, changes) => {
  const store = await newStore()
  await accept(store, 'm1', {}, once)
  expect((await accept(store, 'm2', {}, { ...once, ...changes }))?.id).toBe('m2')
})

test('a request that was refused may be repeated with its key', async () => {
  const store = await newStore()
  const failed = store.messages.change(
    'm1',
    () => {
      throw new Error('no')
    },
    { idempotencyKey: once },
  )
  await expect(failed).rejects.toThrow('no')
  expect((await accept(store, 'm2', {}, once))?.id).toBe('m2')
})

test('a key is kept until its time, over opening again', async () => {
  const folder = await newFolder()
  let now = start
  const store = await openStore(folder)
  await accept(store, 'm1', {}, once)
  await store.close()
  const again = await openStore(folder, { now: () => now, compactAbove: 0 })
  now = start + 999
  expect((await accept(again, 'm2', {}, once))?.id).toBe('m1')
  now = start + 1000
  const later = { ...once, digest: 'other', until: start + 2000 }
  expect((await accept(again, 'm3', {}, later))?.id).toBe('m3')
  expect((await accept(again, 'm4', {}, later))?.id).toBe('m3')
})

test('the keys of an account go with it, and no others', async () => {
  const store = await newStore()
  await accept(store, 'm1', {}, once)
  await accept(store, 'm2', { account: 'b' }, { ...once, account: 'b' })
  await store.accounts.remove('a')
  expect((await accept(store, 'm3', {}, { ...once, digest: 'other' }))?.id).toBe('m3')
  expect((await accept(store, 'm4', {}, { ...once, account: 'b' }))?.id).toBe('m2')
})

test('keys that are kept no longer are forgotten on the disk, too, and the others stay', async () => {
  const folder = await newFolder()
  const store = await openStore(folder)
  await accept(store, 'm1', {}, once)
  await accept(store, 'm2', {}, { ...once, key: 'later', until: start + 5000 })
  await store.messages.deleteExpiredIdempotencyKeys(start + 1000)
  await store.close()
  const kept = (await inspectData(folder)).data.once
  expect([...kept.keys()]).toEqual(['a later'])
})
