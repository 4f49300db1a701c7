import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Message, type Status, statusNames } from '../../../../src/domain/message/message.js'
import {
  messageFilterNames,
  messageFilters,
} from '../../../../src/domain/message/message-filter.js'
import { parseSearchWords } from '../../../../src/domain/message/search-words.js'
import type { MessageQuery } from '../../../../src/server/store/message-store.js'
import type { Store } from '../../../../src/server/store/store.js'
import { getPage } from '../naive-page.js'
import { formatPlace, messageWith } from '../rig.js'
import { assertWithinTime } from './assert-within-time.js'
import type { CreateDatabase } from './test-database.js'

export function testMessageLists(createDatabase: CreateDatabase): void {
  const letters = Object.keys(statusNames) as Status[]
  const orders = ['asc', 'desc'] as const

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
          const { messages, seen } = await reader.messages.search(query, words, count)
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
