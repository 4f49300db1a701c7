import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../src/domain/message/message.js'
import type { Store } from '../../../../src/server/store/store.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { accept, addUp, listEvents, listMessages, messageWith, start } from '../rig.js'
import { firstJournal, openStore } from './lowdb-rig.js'

const count = 2500
const old = { before: start + 1, always: 0 }

/** Opens a store with sent messages, an event of each, and every tenth message locked. */
async function openFull() {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  const statusOf = (at: number) => (at % 10 === 0 ? 'L' : 'S')
  const messages = Array.from({ length: count }, (_, at) =>
    messageWith(`m${at}`, { status: statusOf(at) }),
  )
  await Promise.all(messages.map(message => record(store, message)))
  return { folder, store }
}

async function record(store: Store, message: Message): Promise<void> {
  const { id, account } = message
  await store.messages.change(account, id, () => ({ message, events: ['message.create'] }))
}

/** Both purges: how many records remain, and how many are deleted in all. */
const kinds = [
  {
    name: 'messages',
    purge: (store: Store) => store.messages.purge(old),
    count: async (store: Store) => (await listMessages(store)).length,
    deleted: (count * 9) / 10,
  },
  {
    name: 'events',
    purge: (store: Store) => store.events.purge(old.before, 1e9),
    count: async (store: Store) => (await listEvents(store)).length,
    deleted: count,
  },
]

describe.each(kinds)('many expired $name', ({ purge, count: countLeft, deleted }) => {
  test('are deleted in batches, each a line of the journal', async () => {
    const { folder, store } = await openFull()
    const lines = () => readFileSync(join(folder, firstJournal), 'utf8').split('\n')
    const before = lines().length
    const batches: number[] = []
    for await (const removed of purge(store)) batches.push(removed)
    const longest = Math.max(
      ...lines()
        .slice(before - 1)
        .map(line => line.length),
    )
    expect(batches.reduce((sum, each) => sum + each, 0)).toBe(deleted)
    expect(batches.length).toBeGreaterThan(2)
    expect(Math.max(...batches)).toBeLessThan(800)
    expect(longest).toBeLessThan(50_000)
    expect(await countLeft(store)).toBe(count - deleted)
  })

  test('let a request run between two batches', async () => {
    const { store } = await openFull()
    const order: string[] = []
    const purging = (async () => {
      for await (const _ of purge(store)) order.push('batch')
    })()
    const accepted = accept(store, 'new').then(() => order.push('request'))
    await Promise.all([purging, accepted])
    expect(order.indexOf('request')).toBeLessThan(order.length - 1)
  })

  test('remain if the purge is not continued, and are deleted by the next one', async () => {
    const { store } = await openFull()
    for await (const _ of purge(store)) break
    const some = await countLeft(store)
    expect(some).toBeGreaterThan(count - deleted)
    expect(await addUp(purge(store))).toBe(some - (count - deleted))
  })
})
