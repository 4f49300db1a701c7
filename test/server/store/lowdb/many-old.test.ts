import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../src/domain/message/message.js'
import type { Store } from '../../../../src/server/store/store.js'
import { accept, eventsOf, messagesOf, messageWith, start, sumOf } from '../rig.js'
import { firstJournal, newFolder, openStore } from './lowdb-rig.js'

const count = 2500
const old = { before: start + 1, always: 0 }

/** A store with sent messages and an event of each; every tenth message is locked. */
async function openFull() {
  const folder = await newFolder()
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
  await store.messages.change(id, () => ({ message, events: ['message.create'] }), { account })
}

/** Both ways to remove: what is left, and how many are removed in all. */
const kinds = [
  {
    name: 'messages',
    purge: (store: Store) => store.messages.purge(old),
    left: async (store: Store) => (await messagesOf(store)).length,
    gone: (count * 9) / 10,
  },
  {
    name: 'events',
    purge: (store: Store) => store.events.purge(old.before, 1e9),
    left: async (store: Store) => (await eventsOf(store)).length,
    gone: count,
  },
]

describe.each(kinds)('many old $name', ({ purge, left, gone }) => {
  test('are removed in slices, each a line of the journal', async () => {
    const { folder, store } = await openFull()
    const lines = () => readFileSync(join(folder, firstJournal), 'utf8').split('\n')
    const before = lines().length
    const slices: number[] = []
    for await (const removed of purge(store)) slices.push(removed)
    const longest = Math.max(
      ...lines()
        .slice(before - 1)
        .map(line => line.length),
    )
    expect(slices.reduce((sum, each) => sum + each, 0)).toBe(gone)
    expect(slices.length).toBeGreaterThan(2)
    expect(Math.max(...slices)).toBeLessThan(800)
    expect(longest).toBeLessThan(50_000)
    expect(await left(store)).toBe(count - gone)
  })

  test('let a request through between two slices', async () => {
    const { store } = await openFull()
    const order: string[] = []
    const purging = (async () => {
      for await (const _ of purge(store)) order.push('slice')
    })()
    const answered = accept(store, 'new').then(() => order.push('request'))
    await Promise.all([purging, answered])
    expect(order.indexOf('request')).toBeLessThan(order.length - 1)
  })

  test('are left where they are when nobody asks on, and removed by the next', async () => {
    const { store } = await openFull()
    for await (const _ of purge(store)) break
    const some = await left(store)
    expect(some).toBeGreaterThan(count - gone)
    expect(await sumOf(purge(store))).toBe(some - (count - gone))
  })

  test('are gone from the disk', async () => {
    const { folder, store } = await openFull()
    await sumOf(purge(store))
    await store.close()
    for (const foldAbove of [1e9, 0]) {
      const again = await openStore(folder, { compactAbove: foldAbove })
      expect(await left(again)).toBe(count - gone)
      await again.close()
    }
  })
})

test('messages among which many were removed keep their order', async () => {
  const { store } = await openFull()
  await sumOf(store.messages.purge(old))
  await accept(store, 'new')
  const ids = Array.from({ length: count / 10 }, (_, at) => `m${at * 10}`)
  expect((await messagesOf(store)).map(each => each.id)).toEqual([...ids, 'new'])
})
