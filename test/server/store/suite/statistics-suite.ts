import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message, Source, Status } from '../../../../src/domain/message/message.js'
import {
  formatGroup,
  type Grouping,
  getQuarterHour,
  parseGroup,
  quarterHour,
  sumGroups,
} from '../../../../src/domain/message/message-counts.js'
import type { GroupQuery } from '../../../../src/server/store/statistics-store.js'
import type { Store } from '../../../../src/server/store/store.js'
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

  test('the messages of a period are counted by groups', async () => {
    const database = await createDatabase()
    const store = await database.open()
    for (let n = 0; n < 12; n += 1) {
      const message = messageWith(`m${formatPlace(n)}`, {
        createdAt: start + n * hour,
        status: n % 3 === 0 ? 'F' : 'S',
        source: n < 6 ? 'api' : 'email',
        number: n % 2 === 0 ? '+12025550143' : '12345',
        text: '"phone":"none","source":"x"',
        error: 'bad \u0000 byte',
        ...(n === 4 ? {} : { phone: n < 8 ? 'a "b"  \\ \u0000 \ud800' : 'c' }),
        ...(n === 5 ? { delivery: 'dd 1700000000000 a reason' } : {}),
      })
      await store.messages.change('a', message.id, () => ({ message }))
    }
    const period = { account: 'a', since: from + 2 * hour, until: from + 10 * hour }
    const again = await database.openCopy()
    for (const reader of [store, again]) {
      const count = async (by: Grouping, query: Partial<GroupQuery> = {}) => {
        const groups = await reader.statistics.countGroups({ ...period, ...query })
        return sumGroups(groups, by).map(({ name, created, sent, failed, delivered }) =>
          [name, created, sent, failed, delivered].join(' '),
        )
      }
      expect(await count('source')).toEqual(['api 4 3 1 1', 'email 4 2 2 0'])
      const phones = ['a "b"  \\ \u0000 \ud800 5 3 2 1', 'c 2 1 1 0', ' 1 1 0 0']
      expect(await count('phone')).toEqual(phones)
      expect(await count('prefix')).toEqual([' 4 2 2 1', '+1 4 3 1 0'])
      expect(await count('state')).toEqual(['S 5 5 0 1', 'F 3 0 3 0'])
      expect(await count('state', { account: 'b' })).toEqual([])
      expect(await count('state', { until: period.since })).toEqual([])
    }
    await again.close()
    await store.close()
  })

  const day = 96 * quarterHour
  const groupedFields = {
    status: fc.constantFrom<Status>('N', 'S', 'S', 'S', 'F', 'D', 'L', 'B'),
    phone: fc.constantFrom('', 'p 1', 'p2'),
    delivery: fc.constantFrom('', 'p 1', '-d 1', 'd 1', 'du 1 no', 'e 1'),
    number: fc.constantFrom('+4915112345678', '+12025550143', '+35312345678', '+12015550143', '71'),
    source: fc.constantFrom<Source>('api', 'url'),
  }
  const groupedStep = fc.record({
    id: fc.nat(5).map(n => `m${n}`),
    isRemoved: fc.boolean(),
    createdAt: fc.integer({ min: from - 2 * day, max: from + 3 * day }),
    ...groupedFields,
  })
  const place = fc.integer({ min: -3 * 96, max: 4 * 96 })
  const length = fc.oneof(fc.nat(10), fc.nat(5 * 96))

  test('groups have the stored messages of any period after any changes', async () => {
    const property = fc.asyncProperty(
      fc.array(groupedStep, { maxLength: 30 }),
      fc.array(fc.tuple(place, length), { minLength: 5, maxLength: 10 }),
      async (steps, periods) => {
        const database = await createDatabase()
        const store = await database.open()
        const stored = new Map<string, Message>()
        for (const { id, isRemoved, phone, delivery, ...fields } of steps) {
          const before = stored.get(id)
          const given = { ...fields, ...(phone && { phone }), ...(delivery && { delivery }) }
          const { createdAt = fields.createdAt, source = fields.source } = before ?? {}
          const message = messageWith(id, { ...given, createdAt, source })
          const isStored = before === undefined || !isRemoved
          await store.messages.change('a', id, () => ({ message: isStored ? message : null }))
          if (isStored) stored.set(id, message)
          else stored.delete(id)
        }
        await store.statistics.deleteBefore(start - 10 * day)
        const again = await database.openCopy()
        for (const [first, length] of periods) {
          const since = from + first * quarterHour
          const until = since + length * quarterHour
          const found = [...stored.values()].filter(
            ({ createdAt }) => createdAt >= since && createdAt < until,
          )
          const expected = found.map(each => ({ ...parseGroup(formatGroup(each)), count: 1 }))
          for (const reader of [store, again]) {
            const groups = await reader.statistics.countGroups({ account: 'a', since, until })
            for (const by of ['phone', 'source', 'prefix', 'state'] as const)
              expect(sumGroups(groups, by)).toEqual(sumGroups(expected, by))
          }
        }
        await again.close()
        await store.close()
      },
    )
    await fc.assert(property, { numRuns: 10, interruptAfterTimeLimit: 15_000 })
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
