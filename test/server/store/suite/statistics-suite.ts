import { expect, test } from 'vitest'
import type { Message, Status } from '../../../../src/domain/message/message.js'
import {
  type Grouping,
  getQuarterHour,
  quarterHour,
  sumGroups,
} from '../../../../src/domain/message/message-counts.js'
import type { GroupQuery } from '../../../../src/server/store/message-store.js'
import type { Store } from '../../../../src/server/store/store.js'
import { createUuidGenerator } from '../../../../src/util/crypto/uuid-v7.js'
import { accept, accountWith, addUp, formatPlace, messageWith, start } from '../rig.js'
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

  test('the messages of a period are counted by groups, the newest up to a limit', async () => {
    const database = await createDatabase()
    const store = await database.open()
    let now = start
    const newId = createUuidGenerator(() => now)
    for (let n = 0; n < 12; n += 1) {
      now = start + n * hour
      const message = messageWith(newId(), {
        createdAt: now,
        status: n % 3 === 0 ? 'F' : 'S',
        source: n < 6 ? 'api' : 'email',
        number: n % 2 === 0 ? '+12025550143' : '12345',
        text: '"phone":"none","source":"x"',
        error: 'bad \u0000 byte',
        ...(n === 4 ? {} : { phone: n < 8 ? 'a "b" \\\\' : 'c' }),
        ...(n === 5 ? { delivery: 'd 1700000000000' } : {}),
      })
      await store.messages.change('a', message.id, () => ({ message }))
    }
    const period = { account: 'a', since: start + 2 * hour, until: start + 10 * hour, max: 100 }
    const again = await database.openCopy()
    for (const reader of [store, again]) {
      const count = async (by: Grouping, query: Partial<GroupQuery> = {}) => {
        const found = await reader.messages.countGroups({ ...period, by, ...query })
        const rows = sumGroups(found.groups, by)
        const texts = rows.map(({ name, created, sent, failed }) =>
          [name, created, sent, failed].join(' '),
        )
        return [texts, found.isComplete]
      }
      expect(await count('source')).toEqual([['api 4 3 1', 'email 4 2 2'], true])
      expect(await count('phone')).toEqual([['a "b" \\\\ 5 3 2', 'c 2 1 1', ' 1 1 0'], true])
      expect(await count('prefix')).toEqual([[' 4 2 2', '+1 4 3 1'], true])
      expect(await count('state')).toEqual([['S 5 5 0', 'F 3 0 3'], true])
      expect(await count('state', { account: 'b' })).toEqual([[], true])
      expect(await count('state', { max: 3, until: start + 12 * hour })).toEqual([
        ['S 2 2 0', 'F 1 0 1'],
        false,
      ])
      const { groups } = await reader.messages.countGroups({ ...period, by: 'state' })
      expect(sumGroups(groups, 'state')[0]).toMatchObject({ delivered: 1, pending: 0 })
    }
    await again.close()
    await store.close()
  })

  test('messages are counted by state and account', async () => {
    const database = await createDatabase()
    const store = await database.open()
    const states: readonly Status[] = ['N', 'N', 'E', 'S', 'S', 'S', 'F', 'D', 'L', 'B']
    for (const [n, status] of states.entries()) {
      const message = messageWith(`m${formatPlace(n)}`, { status })
      await store.messages.change('a', message.id, () => ({ message }))
    }
    const sent = messageWith('m0', { status: 'S' })
    await store.messages.change('a', 'm0', () => ({ message: sent }))
    await store.messages.change('a', 'm9', () => ({ message: null }))
    const none = { N: 0, S: 0, E: 0, F: 0, D: 0, L: 0, B: 0 }
    const again = await database.openCopy()
    for (const reader of [store, again]) {
      const counts = await reader.messages.countStatuses('a')
      expect(counts).toEqual({ N: 1, S: 4, E: 1, F: 1, D: 1, L: 1, B: 0 })
      expect(await reader.messages.countStatuses('b')).toEqual(none)
    }
    await again.close()
    await store.close()
  })
}
