import { expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import type { Message } from '../../../../src/domain/message/message.js'
import { searchMessages } from '../../../../src/server/services/messages/message-search.js'
import type { MessagePage } from '../../../../src/server/services/messages/message-service.js'

const account = { id: 'a' } as Account

/** So many messages; each thousandth has its own text. */
function messages(total: number) {
  const pages: MessagePage[] = []
  const list = async (_: Account, page: MessagePage): Promise<Message[]> => {
    pages.push(page)
    const count = Math.max(0, Math.min(page.count, total - page.start))
    return Array.from({ length: count }, (_, at) => {
      const place = page.start + at
      const text = place % 1000 === 999 ? `Special ${place}` : 'usual'
      return { id: String(place), text, number: `+1202555${place}` } as Message
    })
  }
  return { pages, list }
}

const search = { filter: 'all', start: 0, count: 50, words: 'SPECIAL' } as const

test('a search reads all messages in batches', async () => {
  const { pages, list } = messages(3200)
  const found = await searchMessages({ list }, account, search)
  expect(found.messages.map(({ id }) => id)).toEqual(['999', '1999', '2999'])
  expect(found).toMatchObject({ next: undefined, seen: 3200 })
  expect(Math.max(...pages.map(({ count }) => count))).toBeLessThanOrEqual(500)
})

test('a search continues after the last match', async () => {
  const { list } = messages(3200)
  const first = await searchMessages({ list }, account, { ...search, count: 2 })
  expect(first).toMatchObject({ next: 2000, seen: 2000 })
  const rest = await searchMessages({ list }, account, { ...search, start: first.next ?? 0 })
  expect(rest.messages.map(({ id }) => id)).toEqual(['2999'])
})

test('one request reads a limited number, and others run in between', async () => {
  const { list } = messages(1_000_000)
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 0)
  const found = await searchMessages({ list }, account, { ...search, words: 'nothing' })
  clearInterval(timer)
  expect(found).toMatchObject({ messages: [], next: 50_000, seen: 50_000 })
  expect(turns).toBeGreaterThan(1)
})

test.each([
  ['202 555 17', ['17', '170']],
  ['(202) 555-17', ['17', '170']],
  ['20', []],
])('the number %j', async (words, ids) => {
  const { list } = messages(171)
  const found = await searchMessages({ list }, account, { ...search, words })
  expect(found.messages.map(({ id }) => id)).toEqual(ids)
})
