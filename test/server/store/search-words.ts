import { expect, test } from 'vitest'
import { messageFilters } from '../../../src/domain/message/message-filter.js'
import { matchesSearch, parseSearchWords } from '../../../src/domain/message/search-words.js'
import { formatPlace, messageWith } from './rig.js'
import type { CreateDatabase } from './suite/test-database.js'

export function testSearchWords(createDatabase: CreateDatabase): void {
  test('a search finds a part of any characters, in any letter case, or digits', async () => {
    const database = await createDatabase()
    const store = await database.open()
    const texts = [
      ...[
        'Straße "Zum Löwen" \\ 100 % _x',
        'İSTANBUL at 300 \u{212a}',
        'tab\there\nand',
        'a\u0000b',
      ],
      ...['{"text":"N"} \\u0041', 'ΣΊΣΥΦΟΣ 😀 k', '', 'source'],
    ]
    const messages = texts.map((text, n) =>
      messageWith(`m${formatPlace(n)}`, { text, number: `+1202555014${n}` }),
    )
    for (const message of messages)
      await store.messages.change('a', message.id, () => ({ message }))
    const searched = [
      ...['STRASSE', 'straße', 'löwen', 'LÖWEN', '"zum', '\\', '100 %', '%', '_', 'stanbul'],
      ...['istanbul', 'i', 'k', '300 k', 'there\nand', '\there', '\u0000', 'text":"n', 'u0041'],
      ...['σίσυφος', '😀', 'source', 'api', '0147', '555-0142', '+1 (202) 555', '14', 'x', 'ß "'],
    ]
    const statuses = messageFilters.all
    const page = { account: 'a', statuses, start: 0, count: 50, order: 'asc' } as const
    for (const each of searched) {
      const words = parseSearchWords(each)
      const found = await store.messages.search(page, { words }, 50)
      const expected = messages.filter(message => matchesSearch(words, message))
      expect(found, each).toMatchObject({ messages: expected, seen: texts.length })
    }
    await store.close()
  })

  test('a search goes on where it stopped, and counts what it looked at', async () => {
    const database = await createDatabase()
    const store = await database.open()
    for (let n = 0; n < 30; n += 1) {
      const text = n % 5 === 0 ? 'Your code' : '"phone":"attic", "source":"url"'
      const where = n % 3 === 0 ? { phone: 'attic "2"', source: 'url' as const } : {}
      const message = messageWith(`m${formatPlace(n)}`, { text, ...where })
      await store.messages.change('a', message.id, () => ({ message }))
    }
    const words = parseSearchWords('CODE')
    const phone = 'attic "2"'
    for (const order of ['asc', 'desc'] as const) {
      const page = { account: 'a', statuses: messageFilters.all, order, count: 12 }
      const numbers = Array.from({ length: 30 }, (_, at) => (order === 'asc' ? at : 29 - at))
      for (const [criteria, isMatch] of [
        [{ words }, (n: number) => n % 5 === 0],
        [{ words, phone }, (n: number) => n % 15 === 0],
        [{ phone, source: 'url' }, (n: number) => n % 3 === 0],
        [{ phone: 'attic' }, () => false],
      ] as const) {
        for (const start of [0, 1, 20, 29, 30, 40]) {
          const found = await store.messages.search({ ...page, start }, criteria, 2)
          const all = numbers.slice(start, start + 12)
          const matches = all.filter(isMatch).slice(0, 2)
          const end = matches.length === 2 ? all.indexOf(matches[1] ?? -1) + 1 : all.length
          const ids = matches.map(n => `m${formatPlace(n)}`)
          expect(found.messages.map(({ id }) => id)).toEqual(ids)
          expect(found.seen, `${order} ${start}`).toBe(end)
        }
      }
    }
    await store.close()
  })
}
