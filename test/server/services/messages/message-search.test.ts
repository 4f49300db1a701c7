import { expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import type { Message } from '../../../../src/domain/message/message.js'
import {
  type MessageCriteria,
  matchesCriteria,
} from '../../../../src/domain/message/message-criteria.js'
import type { MessagePage } from '../../../../src/server/services/messages/message-page-query.js'
import { searchMessages } from '../../../../src/server/services/messages/message-search.js'
import type { FoundMessages } from '../../../../src/server/store/message-store.js'

const account = { id: 'a' } as Account
const searchSizes = { first: 250, later: 2500, page: 10_000 }

/** So many messages; each thousandth has its own text. */
function messages(total: number) {
  const pages: MessagePage[] = []
  const search = async (
    _: Account,
    page: MessagePage,
    criteria: MessageCriteria,
    count: number,
  ): Promise<FoundMessages> => {
    pages.push(page)
    const found: Message[] = []
    let place = page.start
    for (; place < Math.min(page.start + page.count, total) && found.length < count; place += 1) {
      const text = place % 1000 === 999 ? `Special ${place}` : 'usual'
      const id = String(place)
      const message = { id, text, number: `+1202555${place}`, createdAt: place } as Message
      if (matchesCriteria(criteria, message)) found.push(message)
    }
    return { messages: found, seen: place - page.start }
  }
  return { pages, service: { search, searchSizes } }
}

const search = { filter: 'all', start: 0, count: 50, words: 'SPECIAL' } as const

test('a search reads all messages in batches', async () => {
  const { pages, service } = messages(3200)
  const found = await searchMessages(service, account, search)
  expect(found.messages.map(({ id }) => id)).toEqual(['999', '1999', '2999'])
  expect(found).toMatchObject({ next: undefined, seen: 3200 })
  expect(pages.map(({ count }) => count)).toEqual([250, 2500, 2500])
})

test('a search continues after the last match', async () => {
  const { service } = messages(3200)
  const first = await searchMessages(service, account, { ...search, count: 2 })
  expect(first).toMatchObject({ next: 2000, seen: 2000 })
  const rest = await searchMessages(service, account, { ...search, start: first.next ?? 0 })
  expect(rest.messages.map(({ id }) => id)).toEqual(['2999'])
})

test('one request reads a limited number, and others run in between', async () => {
  const { service } = messages(1_000_000)
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 0)
  const found = await searchMessages(service, account, { ...search, words: 'nothing' })
  clearInterval(timer)
  expect(found).toMatchObject({ messages: [], next: 50_000, seen: 50_000 })
  expect(turns).toBeGreaterThan(1)
  const fewer = { ...search, start: 7, words: 'nothing', most: 10_000 }
  const page = await searchMessages(service, account, fewer)
  expect(page).toMatchObject({ messages: [], next: 10_007, seen: 10_000 })
})

test('a search ends where the store says so, and goes on behind `last`', async () => {
  const afters: (string | undefined)[] = []
  const search = async (_: Account, { start, count, after }: MessagePage) => {
    afters.push(after)
    if (start === 2750) return { messages: [], seen: 3, isLast: true as const }
    return { messages: [], seen: count, last: `m${start + count}` }
  }
  const service = { search, searchSizes }
  const found = await searchMessages(service, account, { filter: 'all', start: 0, count: 5 })
  expect(found).toEqual({ messages: [], next: undefined, seen: 2753 })
  expect(afters).toEqual([undefined, 'm250', 'm2750'])
})

test.each([
  ['202 555 17', ['17', '170']],
  ['(202) 555-17', ['17', '170']],
  ['20', []],
])('the number %j', async (words, ids) => {
  const { service } = messages(171)
  const found = await searchMessages(service, account, { ...search, words })
  expect(found.messages.map(({ id }) => id)).toEqual(ids)
})
