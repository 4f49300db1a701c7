import { expect, test } from 'vitest'
import type { Message, Status } from '../../../../src/domain/message/message.js'
import { getQuarterHour, quarterHour } from '../../../../src/domain/message/message-counts.js'
import type { Store } from '../../../../src/server/store/store.js'
import { accept, accountWith, addUp, start } from '../rig.js'
import type { CreateDatabase } from './test-database.js'

export function testStatistics(createDatabase: CreateDatabase): void {
  const from = getQuarterHour(start) * quarterHour
  const hour = 4 * quarterHour

  /** Created, sent, failed and blocked messages in each of the first hours. */
  async function countHours(store: Store, count = 1, account = 'a'): Promise<number[][]> {
    const sums = await store.statistics.getCounts(account, { from, length: hour, count })
    return sums.map(({ created, sent, failed, blocked }) => [created, sent, failed, blocked])
  }

  async function setStatus(
    store: Store,
    id: string,
    status: Status,
    statusAt = start,
  ): Promise<void> {
    const decide = (found?: Message) => ({ message: { ...(found as Message), status, statusAt } })
    await store.messages.change('a', id, decide)
  }

  async function openFilled() {
    const database = await createDatabase()
    const store = await database.open()
    await store.accounts.create(accountWith('a'))
    for (const id of ['m1', 'm2', 'm3', 'm4']) await accept(store, id)
    await setStatus(store, 'm1', 'S')
    await setStatus(store, 'm2', 'F')
    await setStatus(store, 'm3', 'S', start + hour)
    return { database, store }
  }

  test('a message counts in the hours of its creation and of its final status', async () => {
    const { database, store } = await openFilled()
    const expected = [
      [4, 1, 1, 0],
      [0, 1, 0, 0],
    ]
    for (const reader of [store, await database.openCopy()]) {
      expect(await countHours(reader, 2)).toEqual(expected)
      expect(await countHours(reader, 1, 'b')).toEqual([[0, 0, 0, 0]])
    }
  })

  test('deleted messages still count, also after a restart', async () => {
    const { database, store } = await openFilled()
    await store.messages.change('a', 'm1', () => ({ message: null }))
    await addUp(store.messages.purge({ before: start + 1, always: start + 1 }))
    for (const reader of [store, await database.openCopy()]) {
      expect(
        (await reader.messages.get('a', 'm2')) ?? (await reader.messages.get('a', 'm1')),
      ).toBeUndefined()
      expect(await countHours(reader, 2)).toEqual([
        [4, 1, 1, 0],
        [0, 1, 0, 0],
      ])
    }
  })

  test('deleted counts stay deleted, whether their messages exist or not', async () => {
    const { database, store } = await openFilled()
    await store.messages.change('a', 'm1', () => ({ message: null }))
    await store.statistics.deleteBefore(start + hour)
    await store.messages.change('a', 'm2', () => ({ message: null }))
    await setStatus(store, 'm4', 'S')
    const remaining = [
      [0, 0, 0, 0],
      [0, 1, 0, 0],
    ]
    expect(await countHours(store, 2)).toEqual(remaining)
    const again = await database.openCopy()
    await again.statistics.deleteBefore(start + hour)
    expect(await countHours(again, 2)).toEqual(remaining)
  })

  test('counts are removed with their account', async () => {
    const { database, store } = await openFilled()
    await store.messages.change('a', 'm1', () => ({ message: null }))
    await store.accounts.remove('a')
    for (const reader of [store, await database.openCopy()]) {
      expect(await countHours(reader)).toEqual([[0, 0, 0, 0]])
    }
  })
}
