import { expect, test } from 'vitest'
import type { Message, Status } from '../../../../src/domain/message/message.js'
import { getQuarterHour, quarterHour } from '../../../../src/domain/message/message-counts.js'
import type { Store } from '../../../../src/server/store/store.js'
import { accept, accountWith, newFolder, openCopy, openStore, start, sumOf } from '../rig.js'

const from = getQuarterHour(start) * quarterHour
const hour = 4 * quarterHour

/** Created, sent, failed and blocked in each of the first hours. */
async function hours(store: Store, count = 1, account = 'a'): Promise<number[][]> {
  const sums = await store.statistics.getCounts(account, { from, length: hour, count })
  return sums.map(({ created, sent, failed, blocked }) => [created, sent, failed, blocked])
}

async function become(store: Store, id: string, status: Status, statusAt = start): Promise<void> {
  const decide = (found?: Message) => ({ message: { ...(found as Message), status, statusAt } })
  await store.messages.change(id, decide)
}

async function filled() {
  const folder = await newFolder()
  const store = await openStore(folder)
  await store.accounts.create(accountWith('a'))
  for (const id of ['m1', 'm2', 'm3', 'm4']) await accept(store, id)
  await become(store, 'm1', 'S')
  await become(store, 'm2', 'F')
  await become(store, 'm3', 'S', start + hour)
  return { folder, store }
}

test('a message counts when it is created and when it becomes final, in the hours it does', async () => {
  const { folder, store } = await filled()
  const counted = [
    [4, 1, 1, 0],
    [0, 1, 0, 0],
  ]
  for (const reader of [store, await openCopy(folder)]) {
    expect(await hours(reader, 2)).toEqual(counted)
    expect(await hours(reader, 1, 'b')).toEqual([[0, 0, 0, 0]])
  }
})

test('removed messages go on counting, after a restart, too', async () => {
  const { folder, store } = await filled()
  await store.messages.change('m1', () => ({ message: null }))
  await sumOf(store.messages.purge({ before: start + 1, always: start + 1 }))
  for (const reader of [store, await openCopy(folder)]) {
    expect((await reader.messages.get('m2')) ?? (await reader.messages.get('m1'))).toBeUndefined()
    expect(await hours(reader, 2)).toEqual([
      [4, 1, 1, 0],
      [0, 1, 0, 0],
    ])
  }
})

test('what is forgotten counts no longer, whether its messages are there or not', async () => {
  const { folder, store } = await filled()
  await store.messages.change('m1', () => ({ message: null }))
  await store.statistics.deleteBefore(start + hour)
  await store.messages.change('m2', () => ({ message: null }))
  await become(store, 'm4', 'S')
  const left = [
    [0, 0, 0, 0],
    [0, 1, 0, 0],
  ]
  expect(await hours(store, 2)).toEqual(left)
  const again = await openCopy(folder)
  await again.statistics.deleteBefore(start + hour)
  expect(await hours(again, 2)).toEqual(left)
})

test('counts go with their account', async () => {
  const { folder, store } = await filled()
  await store.messages.change('m1', () => ({ message: null }))
  await store.accounts.remove('a')
  for (const reader of [store, await openCopy(folder)]) {
    expect(await hours(reader)).toEqual([[0, 0, 0, 0]])
  }
})
