import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseBulkNumber } from '../../../src/domain/bulk/bulk-number.js'
import {
  type BulkOptions,
  type BulkRow,
  createBulkReader,
} from '../../../src/domain/bulk/bulk-table.js'
import { parseTemplate } from '../../../src/domain/bulk/row-template.js'
import { limits } from '../../../src/domain/limits.js'

function rows(table: string[][], options: Partial<BulkOptions> = {}): BulkRow[] {
  const read = createBulkReader({ digest: text => text, ...options })
  return table.map((cells, at) => read({ line: at + 1, cells })).filter(row => row !== undefined)
}

function problems(table: string[][], options: Partial<BulkOptions> = {}): string[] {
  return rows(table, options).flatMap(row => row.problems)
}

describe('columns', () => {
  test.each(['destination', 'number', 'phone', 'to', ' Phone ', 'TO'])(
    '%s has the numbers',
    name => {
      const [row] = rows([
        [name, 'message'],
        ['+12025550123', 'Hi'],
      ])
      expect(row?.draft).toEqual({ destination: '+12025550123', message: 'Hi' })
    },
  )

  test.each([
    ['no numbers', ['name', 'message'], undefined, /destination/],
    ['two columns of numbers', ['to', 'phone', 'message'], undefined, /to, phone/],
    ['a column twice', ['to', 'message', 'Message'], undefined, /message/],
    ['no texts', ['to', 'name'], undefined, /no column message/],
    ['an unknown placeholder', ['to', 'name'], 'Hi {nmae}', /\{nmae\}/],
    ['a single brace', ['to', 'name'], 'Hi {', /single "\{"/],
    ['a brace in a brace', ['to', 'name'], 'Hi {a{name}', /single "\{"/],
  ])('%s is an error before the first row', (_, header, text, message) => {
    expect(() => rows([header], { text })).toThrow(message)
  })

  test('empty rows are skipped and do not count', () => {
    const table = [
      ['to', 'message'],
      ['', ' '],
      ['+12025550123', 'Hi'],
    ]
    expect(rows(table)).toMatchObject([{ row: 1, line: 3 }])
  })
})

describe('templates', () => {
  test.each([
    ['Hello {name}', 'Hello Ann'],
    ['{ NAME }, {{x}} {name}', 'Ann, {x} Ann'],
    ['{title|}{name}', 'Ann'],
    ['{title|Dear} {name}', 'Dear Ann'],
    ['{name|friend}', 'Ann'],
    ['{title|name}', 'Ann'],
    ['{title|"Dear | all"} {title|Dear}', 'Dear | all Dear'],
    ['plain', 'plain'],
  ])('%s', (text, filled) => {
    const table = [
      ['to', 'name', 'title'],
      ['+12025550123', ' Ann ', ''],
    ]
    expect(rows(table, { text })[0]).toMatchObject({ draft: { message: filled }, problems: [] })
  })

  test('an empty cell without a default is a problem', () => {
    const table = [
      ['to', 'name'],
      ['+12025550123', ' '],
    ]
    expect(problems(table, { text: 'Hi {name}' })).toEqual([
      'the template needs name, which is empty here',
    ])
  })

  test('a text in the table is not a template', () => {
    const table = [
      ['to', 'message', 'name'],
      ['+12025550123', 'Hi {name} }', 'Ann'],
    ]
    expect(rows(table)[0]?.draft.message).toBe('Hi {name} }')
  })

  test('any text with doubled braces is unchanged around any values', () => {
    const value = fc.string({ unit: 'binary' }).filter(text => text.trim() !== '')
    fc.assert(
      fc.property(fc.string(), fc.string(), value, (before, after, cell) => {
        const escaped = (text: string) => text.replace(/[{}]/g, '$&$&')
        const template = parseTemplate(`${escaped(before)}{a}${escaped(after)}`, ['x', 'a'])
        expect(template.fill(['', cell])).toEqual({
          text: `${before}${cell.trim()}${after}`,
          missing: [],
        })
      }),
    )
  })
})

describe('numbers', () => {
  test.each([
    ['+49 151 23456789', undefined],
    ['(202) 555-0123', undefined],
    ['5551212', undefined],
    ['70123', undefined],
    ['0049 151 23456789', undefined],
    ['0151 23456789', 'DE'],
    ['0049 151 23456789', 'DE'],
  ])('%s is valid', (text, country) => {
    expect(parseBulkNumber(text, country)).toHaveProperty('number')
  })

  test.each([
    ['4.91512E+11', undefined, /rounded/],
    ['4,91512E+11', 'DE', /rounded/],
    ['4915123456789', undefined, /lost its "\+"/],
    ['4915123456789', 'US', /lost its "\+"/],
    ['', undefined, /missing/],
    ['Ann', undefined, /^Ann is not a phone number/],
    ['=HYPERLINK(1)', undefined, /not a phone number/],
    ['12', undefined, /^12 /],
    ['+49', undefined, /^\+49 /],
  ])('%s is a problem', (text, country, message) => {
    expect(parseBulkNumber(text, country)).toMatchObject({
      problem: expect.stringMatching(message),
    })
  })

  test('with a country, numbers are converted to international form', () => {
    const table = [
      ['to', 'message'],
      ['0151 23456789', 'Hi'],
    ]
    expect(rows(table, { country: 'DE' })[0]?.draft.destination).toBe('+4915123456789')
    expect(rows(table)[0]?.draft.destination).toBe('0151 23456789')
  })
})

describe('rows', () => {
  const header = ['to', 'message', 'send_on']

  test.each([
    ['an empty text', ['+12025550123', ' '], /text is empty/],
    ['a text that is too long', ['+12025550123', 'x'.repeat(limits.text + 1)], /1601 characters/],
    ['a lone surrogate', ['+12025550123', 'x\ud800'], /cannot be sent/],
    ['a time of a spreadsheet', ['+12025550123', 'Hi', '31.01.2030 09:00'], /send_on "31\.01/],
    [
      'a time that does not exist',
      ['+12025550123', 'Hi', '2030-02-30 09:00:00'],
      /send_on "2030-02-30/,
    ],
    ['a text that was not in quotes', ['+12025550123', 'Hi', '', ' Ann'], /4 cells.*3 columns/],
  ])('%s is a problem', (_, cells, message) => {
    expect(problems([header, cells])).toEqual([expect.stringMatching(message)])
  })

  test('a surrogate pair counts as one character', () => {
    expect(problems([header, ['+12025550123', '😀'.repeat(limits.text)]])).toEqual([])
  })

  test('a row has its own time, in any zone, or the common one', () => {
    const table = [
      header,
      ['1', 'a', '2030-01-31T09:00:00+02:00'],
      ['2', 'b'],
      ['3', 'c', '2030-01-31 09:00'],
    ]
    const times = rows(table, { sendOn: '2031-01-01 00:00:00' }).map(row => row.draft.send_on)
    expect(times).toEqual(['2030-01-31 07:00:00', '2031-01-01 00:00:00', '2030-01-31 09:00:00'])
  })

  test('a repeated text to a number is a problem unless duplicates are allowed', () => {
    const table = [
      header,
      ['+1 202 555 0123', 'Hi'],
      ['+12025550123', 'Hi'],
      ['+12025550123', 'Hi', '2030-01-31 09:00:00'],
      ['+12025550123', 'Ho'],
      ['+12025550123', 'Hi'],
    ]
    expect(rows(table).map(row => row.problems)).toEqual([
      [],
      ['repeats line 2: the same text to the same number'],
      [],
      [],
      ['repeats line 2: the same text to the same number'],
    ])
    const allowed = rows(table, { allowDuplicates: true })
    expect(allowed.flatMap(row => row.problems)).toEqual([])
    expect(new Set(allowed.map(row => row.identity)).size).toBe(5)
  })

  test('a row has the same identity at any position', () => {
    const cells = fc.tuple(fc.constantFrom('5551212', '5551213'), fc.constantFrom('a', 'b'))
    fc.assert(
      fc.property(fc.array(cells), fc.array(fc.nat()), (all, keys) => {
        const identities = (table: string[][]) =>
          rows([header, ...table], { allowDuplicates: true })
            .map(row => row.identity)
            .sort()
        const other = all
          .map((row, at) => ({ row, key: keys[at] ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(each => each.row)
        expect(identities(other)).toEqual(identities(all))
        expect(new Set(identities(all)).size).toBe(all.length)
      }),
    )
  })
})
