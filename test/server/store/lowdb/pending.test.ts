import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../src/domain/message/message.js'
import type { Store } from '../../../../src/server/store/store.js'
import { accept, draftWith, eventsOf, messagesOf, next } from '../rig.js'
import { firstJournal, newFolder, openStore } from './lowdb-rig.js'

/** The journal as it is at this moment, before anything else can happen. */
function journalOf(folder: string): string {
  return readFileSync(join(folder, firstJournal), 'utf8')
}

/** Reads of a message that is being written: what each sees of it. */
const reads: Record<string, (store: Store) => Promise<unknown>> = {
  get: store => store.messages.get('m1'),
  list: async store => (await messagesOf(store))[0],
  events: async store => (await eventsOf(store))[0],
  'a change that changes nothing': store => store.messages.change('m1', () => ({})),
  'a claim': store => next(store, 'p'),
}

describe('while a message is being written', () => {
  test.each(Object.keys(reads))('%s answers when it is in the file', async name => {
    const folder = await newFolder()
    const store = await openStore(folder)
    const written = accept(store, 'm1')
    expect(await (reads[name] as (store: Store) => Promise<unknown>)(store)).toBeDefined()
    expect(journalOf(folder)).toContain('"m1"')
    await written
  })

  test('its own answer comes when it is in the file', async () => {
    const folder = await newFolder()
    const store = await openStore(folder)
    await accept(store, 'm1')
    expect(journalOf(folder)).toContain('"m1"')
  })

  test('a refusal that rests on it comes when it is in the file', async () => {
    const folder = await newFolder()
    const store = await openStore(folder)
    const written = accept(store, 'm1')
    const refused = store.messages.change('m1', () => {
      throw new Error('It is there already.')
    })
    await expect(refused).rejects.toThrow('already')
    expect(journalOf(folder)).toContain('"m1"')
    await written
  })

  test('a watcher is told when it is in the file', async () => {
    const folder = await newFolder()
    const store = await openStore(folder)
    const told = new Promise<unknown>(resolve => store.watch(resolve))
    const written = accept(store, 'm1')
    expect(await told).toEqual({
      account: 'a',
      messages: ['m1'],
      events: ['message.create'],
      subscriptions: [],
    })
    expect(journalOf(folder)).toContain('"m1"')
    await written
  })
})

test('a watcher is told of each account once a change, and no more when it has left', async () => {
  const store = await openStore(await newFolder())
  const told: unknown[] = []
  const leave = store.watch(notice => told.push(notice))
  await accept(store, 'm1', { account: 'b' })
  await store.subscriptions.create(draftWith('s1'))
  await store.subscriptions.remove('s1')
  await store.messages.change('m1', found => ({ message: { ...(found as Message), text: 'new' } }))
  await store.messages.change('m1', () => ({}))
  leave()
  await accept(store, 'm2')
  expect(told).toEqual([
    { account: 'b', messages: ['m1'], events: ['message.create'], subscriptions: [] },
    { account: 'a', messages: [], events: [], subscriptions: ['s1'] },
    { account: 'a', messages: [], events: [], subscriptions: ['s1'] },
    { account: 'b', messages: ['m1'], events: [], subscriptions: [] },
  ])
})
