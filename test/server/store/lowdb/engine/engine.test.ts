import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../../../../src/server/store/store.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { accept, listEvents, listMessages, next } from '../../rig.js'
import { firstJournal, openStore } from '../lowdb-rig.js'

/** Reads the journal synchronously, so that the store cannot continue meanwhile. */
function readJournal(folder: string): string {
  return readFileSync(join(folder, firstJournal), 'utf8')
}

const reads: Record<string, (store: Store) => Promise<unknown>> = {
  get: store => store.messages.get('a', 'm1'),
  list: async store => (await listMessages(store))[0],
  events: async store => (await listEvents(store))[0],
  'a change without an effect': store => store.messages.change('a', 'm1', () => ({})),
  'a claim': store => next(store, 'p'),
}

describe('during the write of a message', () => {
  test.each(Object.keys(reads))('%s resolves when the message is in the file', async name => {
    const folder = await temporaryFolder()
    const store = await openStore(folder)
    const written = accept(store, 'm1')
    expect(await (reads[name] as (store: Store) => Promise<unknown>)(store)).toBeDefined()
    expect(readJournal(folder)).toContain('"m1"')
    await written
  })

  test('its own change resolves when it is in the file', async () => {
    const folder = await temporaryFolder()
    const store = await openStore(folder)
    await accept(store, 'm1')
    expect(readJournal(folder)).toContain('"m1"')
  })

  test('an error based on it is thrown when it is in the file', async () => {
    const folder = await temporaryFolder()
    const store = await openStore(folder)
    const written = accept(store, 'm1')
    const rejected = store.messages.change('a', 'm1', () => {
      throw new Error('It exists already.')
    })
    await expect(rejected).rejects.toThrow('already')
    expect(readJournal(folder)).toContain('"m1"')
    await written
  })

  test('a listener is called when it is in the file', async () => {
    const folder = await temporaryFolder()
    const store = await openStore(folder)
    const notified = new Promise<unknown>(resolve => store.watch(resolve))
    const written = accept(store, 'm1')
    expect(await notified).toEqual({
      account: 'a',
      messages: ['m1'],
      holders: [],
      events: ['message.create'],
      subscriptions: [],
    })
    expect(readJournal(folder)).toContain('"m1"')
    await written
  })
})
