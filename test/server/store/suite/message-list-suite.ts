import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Message, type Status, statusNames } from '../../../../src/domain/message/message.js'
import type { MessageCriteria } from '../../../../src/domain/message/message-criteria.js'
import {
  messageFilterNames,
  messageFilters,
} from '../../../../src/domain/message/message-filter.js'
import { parseSearchWords } from '../../../../src/domain/message/search-words.js'
import type { MessageQuery } from '../../../../src/server/store/message-store.js'
import type { Store } from '../../../../src/server/store/store.js'
import { createUuidGenerator } from '../../../../src/util/crypto/uuid-v7.js'
import { getPage } from '../naive-page.js'
import { accept, formatPlace, messageWith, start } from '../rig.js'
import { testSearchWords } from '../search-words.js'
import { assertWithinTime } from './assert-within-time.js'
import type { CreateDatabase } from './test-database.js'

export function testMessageLists(createDatabase: CreateDatabase): void {
  const letters = Object.keys(statusNames) as Status[]
  const orders = ['asc', 'desc'] as const
  const hour = 60 * 60 * 1000

  const step = fc.record({
    at: fc.nat(40),
    status: fc.constantFrom(...letters, 'removed' as const),
    account: fc.constantFrom('a', 'a', 'a', 'b'),
  })

  describe('pages of messages', () => {
    test('are those of an array, for every filter and order, after any changes', async () => {
      const check = async (
        steps: { at: number; status: Status | 'removed'; account: string }[],
      ) => {
        const database = await createDatabase()
        const store = await database.open()
        let all: Message[] = []
        // Changes of one message follow each other: at the same time they have no order.
        const last = new Map<string, Promise<unknown>>()
        const written = steps.map(async ({ at, status, account }, nth) => {
          const current = all[at]
          const message =
            current === undefined
              ? messageWith(`m${formatPlace(nth)}`, {
                  account,
                  ...(status === 'removed' ? {} : { status }),
                })
              : { ...current, ...(status === 'removed' ? {} : { status }) }
          const isRemoved = current !== undefined && status === 'removed'
          if (isRemoved) all = all.filter(each => each !== current)
          else all = current ? all.with(at, message) : [...all, message]
          const decide = () => ({ message: isRemoved ? null : message })
          const before = last.get(message.id)
          const change = Promise.resolve(before).then(
            async () => await store.messages.change(message.account, message.id, decide),
          )
          last.set(message.id, change)
          await change
        })
        await Promise.all(written)
        const again = await database.openCopy()
        for (const reader of [store, again]) await comparePages(reader, all)
        await again.close()
        await store.close()
      }
      await assertWithinTime(fc.array(step, { maxLength: 60, size: 'max' }), check)
    })

    test('a search looks at a page in its order until it has found enough', async () => {
      const database = await createDatabase()
      const store = await database.open()
      for (let n = 0; n < 20; n += 1) {
        const text = n % 4 === 3 ? `Special ${n}` : 'usual'
        const message = messageWith(`m${formatPlace(n)}`, { text, status: n % 2 === 0 ? 'N' : 'S' })
        await store.messages.change('a', message.id, () => ({ message }))
      }
      const statuses = messageFilters.all
      const page = { account: 'a', statuses, start: 2, count: 15, order: 'desc' } as const
      const words = parseSearchWords('SPECIAL')
      const again = await database.openCopy()
      for (const reader of [store, again]) {
        const find = async (query: MessageQuery, count: number) => {
          const { messages, seen } = await reader.messages.search(query, { words }, count)
          return [messages.map(({ id }) => id), seen]
        }
        expect(await find(page, 2)).toEqual([['mx15', 'mx11'], 7])
        expect(await find(page, 9)).toEqual([['mx15', 'mx11', 'm7', 'm3'], 15])
        expect(await find({ ...page, order: 'asc', start: 18 }, 9)).toEqual([['mx19'], 2])
        expect(await find({ ...page, statuses: ['N'] }, 9)).toEqual([[], 8])
        expect(await find({ ...page, account: 'none' }, 9)).toEqual([[], 0])
      }
      await again.close()
      await store.close()
    })

    testSearchWords(createDatabase)

    test('a search by number continues behind the messages that it has seen', async () => {
      const database = await createDatabase()
      const store = await database.open()
      for (let n = 0; n < 9; n += 1) {
        const number = n % 3 === 0 ? '+12025550199' : '+12025550143'
        const message = messageWith(`m${formatPlace(n)}`, { number })
        await store.messages.change('a', message.id, () => ({ message }))
      }
      const page = { account: 'a', statuses: messageFilters.all, count: 50, order: 'asc' } as const
      const pages: string[][] = []
      for (let start = 0; pages.at(-1)?.length !== 0; ) {
        const criteria = { number: '+12025550143' }
        const found = await store.messages.search({ ...page, start }, criteria, 2)
        pages.push(found.messages.map(({ id }) => id))
        start += found.seen
      }
      expect(pages).toEqual([['m1', 'm2'], ['m4', 'm5'], ['m7', 'm8'], []])
      await store.close()
    })

    test('waiting messages are counted up to a limit, or all of them', async () => {
      const database = await createDatabase()
      const store = await database.open()
      for (let n = 0; n < 5; n += 1) await accept(store, `m${formatPlace(n)}`)
      const limited = await store.messages.getQueueDepth('a', start + hour, 3)
      for (const count of [limited.waiting, limited.due]) expect([3, 5]).toContain(count)
      const all = await store.messages.getQueueDepth('a', start + hour)
      expect(all).toMatchObject({ waiting: 5, due: 5, leased: 0 })
      await store.close()
    })

    test('a search finds messages by time, number, phone and reason, up to its times', async () => {
      const database = await createDatabase()
      const store = await database.open()
      for (let n = 0; n < 10; n += 1) {
        const message = messageWith(`m${formatPlace(n)}`, {
          createdAt: start + n * hour,
          status: n % 2 === 0 ? 'E' : 'F',
          number: n === 3 ? '+12025550199' : '+12025550143',
          phone: n < 5 ? 'attic' : 'cellar',
          source: n === 2 || n === 7 ? 'url' : 'api',
          ...(n > 6 ? { error: 'No CARRIER' } : {}),
        })
        await store.messages.change('a', message.id, () => ({ message }))
      }
      const again = await database.openCopy()
      for (const reader of [store, again]) {
        const find = async (criteria: MessageCriteria, query: Partial<MessageQuery> = {}) => {
          const page = { account: 'a', statuses: messageFilters.all, start: 0, count: 50 } as const
          const full = { ...page, order: 'asc', ...query } as const
          const { messages, isLast = false } = await reader.messages.search(full, criteria, 9)
          return [messages.map(({ id }) => id).join(' '), isLast]
        }
        const since = start + 4 * hour
        expect(await find({ since })).toEqual(['m4 m5 m6 m7 m8 m9', false])
        expect(await find({ since }, { order: 'desc' })).toEqual(['m9 m8 m7 m6 m5 m4', true])
        expect(await find({ until: since })).toEqual(['m0 m1 m2 m3', true])
        expect(await find({ until: since + 1, since })).toEqual(['m4', true])
        expect(await find({ number: '+12025550199' })).toEqual(['m3', false])
        const others = { number: '+12025550143', since }
        const failed = { statuses: ['F'], order: 'desc' } as const
        expect(await find(others, failed)).toEqual(['m9 m7 m5', true])
        expect(await find(others, { ...failed, account: 'b' })).toEqual(['', false])
        expect(await find({ phone: 'attic' }, { statuses: ['F'] })).toEqual(['m1 m3', false])
        expect(await find({ source: 'url' })).toEqual(['m2 m7', false])
        expect(await find({ source: 'url', reason: 'carrier' })).toEqual(['m7', false])
        expect(await find({ reason: 'carrier' })).toEqual(['m7 m8 m9', false])
        expect(await find({ phone: 'attic', reason: 'carrier' })).toEqual(['', false])
      }
      await again.close()
      await store.close()
    })

    test('a search of times begins with about their first message', async () => {
      const database = await createDatabase()
      const store = await database.open()
      let now = start
      const newId = createUuidGenerator(() => now)
      const ids: string[] = []
      const changes = Array.from({ length: 1200 }, (_, n) => {
        now = start + n * hour
        const message = messageWith(newId(), { createdAt: now })
        ids.push(message.id)
        return { account: 'a', id: message.id, decide: () => ({ message }) }
      })
      await store.messages.changeAll(changes)
      const again = await database.openCopy()
      const times = { since: start + 10 * hour, until: start + 13 * hour }
      for (const reader of [store, again]) {
        for (const order of orders) {
          const page = { account: 'a', statuses: ['N'], start: 0, count: 1200, order } as const
          const found = await reader.messages.search(page, times, 9)
          const listed = found.messages.map(({ id }) => ids.indexOf(id))
          expect(listed).toEqual(order === 'asc' ? [10, 11, 12] : [12, 11, 10])
          expect(found.seen).toBeLessThan(order === 'asc' ? 515 : 1100)
          const rest = await reader.messages.search({ ...page, start: found.seen - 1 }, times, 9)
          expect(rest).toMatchObject({ messages: [], isLast: true })
        }
      }
      await again.close()
      await store.close()
    })

    test('a search goes on behind the last message', async () => {
      const store = await (await createDatabase()).open()
      for (let n = 0; n < 20; n += 1) await accept(store, `m${formatPlace(n)}`)
      for (const order of orders) {
        const seen: string[] = []
        for (let at = 0, after: string | undefined; at < 20; ) {
          const page = { account: 'a', statuses: ['N'] as const, start: at, count: 7, order, after }
          const found = await store.messages.search(page, {}, 7)
          seen.push(...found.messages.map(({ id }) => id))
          at += found.seen
          after = found.last
        }
        const all = Array.from({ length: 20 }, (_, n) => `m${formatPlace(n)}`)
        expect(seen).toEqual(order === 'asc' ? all : all.toReversed())
      }
      await store.close()
    })

    test('a list may end in front of a known message', async () => {
      const store = await (await createDatabase()).open()
      for (let n = 0; n < 9; n += 1) await accept(store, `m${n}`)
      for (const order of orders) {
        const query = { account: 'a', statuses: ['N'] as const, start: 2, count: 3, order }
        const next = { ...query, before: order === 'asc' ? 'm5' : 'm3' }
        expect(await store.messages.list(next)).toEqual(await store.messages.list(query))
      }
      await store.close()
    })

    async function comparePages(store: Store, all: readonly Message[]): Promise<void> {
      for (const account of ['a', 'b', 'none']) {
        const own = all.filter(each => each.account === account)
        for (const filter of messageFilterNames) {
          for (const order of orders) {
            for (const [start, count] of [
              [0, 50],
              [1, 3],
              [7, 100],
              [1000, 1],
            ] as const) {
              const statuses = messageFilters[filter]
              const page = await store.messages.list({ account, statuses, start, count, order })
              expect(page).toEqual(getPage(own, statuses, start, count, order))
            }
          }
        }
      }
    }
  })
}
