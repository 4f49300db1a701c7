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
}
