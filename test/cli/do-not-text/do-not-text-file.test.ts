import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type DoNotTextCsvRow,
  formatDoNotTextCsv,
  readDoNotTextCsv,
} from '../../../src/cli/do-not-text/do-not-text-file.js'
import type { DoNotTextFields } from '../../../src/contract/do-not-text-schema.js'

/** The rows of a file that comes in pieces of so many bytes. */
async function rowsOf(file: string | Buffer, size = 7): Promise<DoNotTextCsvRow[]> {
  const bytes = Buffer.from(file)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const rows: DoNotTextCsvRow[] = []
  for await (const row of readDoNotTextCsv(pieces())) rows.push(row)
  return rows
}

const entryWith = (changes: Partial<DoNotTextFields> = {}): DoNotTextFields => ({
  number: '+12025550143',
  added_on: '2030-01-01 00:00:00',
  scope: 'account',
  reason: 'api',
  by: 'api key',
  note: null,
  ...changes,
})

describe('a list that is read', () => {
  test('has the columns number, note, added_on and reason where no header says otherwise', async () => {
    const file = '+1202,a note,2020-01-02 03:04:05,stop\n (202) 555-0143\n+3,,,\n'
    expect(await rowsOf(file)).toEqual([
      {
        line: 1,
        entry: { number: '+1202', note: 'a note', added_on: '2020-01-02 03:04:05', reason: 'stop' },
      },
      { line: 2, entry: { number: '(202) 555-0143' } },
      { line: 3, entry: { number: '+3' } },
    ])
  })

  test('has the columns its header names, in any order, and others are passed over', async () => {
    const file = '\ufeffName,Note, NUMBER \r\nAnn,"x, y",+1\r\n,,+2\r\n'
    expect(await rowsOf(file)).toEqual([
      { line: 2, entry: { number: '+1', note: 'x, y' } },
      { line: 3, entry: { number: '+2' } },
    ])
  })

  test.each([
    [';', 'number;note\n+1;a, b\n'],
    ['\t', 'number\tnote\n+1\ta, b\n'],
  ])('may have %j between its cells', async (_, file) => {
    expect(await rowsOf(file)).toEqual([{ line: 2, entry: { number: '+1', note: 'a, b' } }])
  })

  test('tells the line on which each row begins', async () => {
    const file = 'number,note\r\n+1,"a\r\nb\nc"\r\n\r\n ,\r\n+2,say "x"\n+3,last'
    expect(await rowsOf(file)).toEqual([
      { line: 2, entry: { number: '+1', note: 'a\r\nb\nc' } },
      { line: 7, entry: { number: '+2', note: 'say "x"' } },
      { line: 8, entry: { number: '+3', note: 'last' } },
    ])
  })

  test('has a problem where a note brings too many columns', async () => {
    const [row] = await rowsOf('+1,one,two,three,four,five\n')
    expect(row).toMatchObject({ line: 1, problem: expect.stringContaining('columns') })
  })

  test.each([
    ['an open quotation mark', '+1,a\n+2,"b\n+3,c\n', 'Behind record 1 '],
    ['a record without end', `+1,"${'x'.repeat(70_000)}`, 'Behind record 0 '],
    ['bytes that are no UTF-8', Buffer.from([0x2b, 0x31, 0x2c, 0xe4, 0x0a]), 'UTF-8'],
  ])('is refused for %s', async (_, file, why) => {
    const refused = rowsOf(file)
    await expect(refused).rejects.toMatchObject({ code: 'usage' })
    await expect(refused).rejects.toThrow(why)
  })

  test('may be empty', async () => {
    expect(await rowsOf('')).toEqual([])
    expect(await rowsOf('number,note\n')).toEqual([])
  })
})

describe('a list that is written', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+cmd', "'+cmd"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t=1"'],
    ['＝1', "'＝1"],
    ["'=1", "''=1"],
    ["it's", "it's"],
    ['a "b", c', '"a ""b"", c"'],
    ['two\nlines', '"two\nlines"'],
  ])('keeps the note %j from being a formula, and quotes it', (note, written) => {
    const [, line] = [...formatDoNotTextCsv([entryWith({ note })])]
    const cells = written.startsWith('"\'\t') ? written.slice(1, -1) : written
    expect(line).toBe(`+12025550143,${cells},2030-01-01 00:00:00,api,api key\r\n`)
  })

  test('leaves empty what is not known', () => {
    const old = entryWith({ reason: null, by: null })
    expect([...formatDoNotTextCsv([old])].join('')).toBe(
      'number,note,added_on,reason,by\r\n+12025550143,,2030-01-01 00:00:00,,\r\n',
    )
  })

  test('is read as it was, whatever the notes', async () => {
    const note = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.stringMatching(/^['=+\-@\t\r\n", ;a]{0,8}$/),
    )
    const entry = fc.record({
      number: fc.stringMatching(/^\+?\d{3,15}$/),
      note: note.filter(text => text.isWellFormed() && !text.includes('\0')),
    })
    const entries = fc.uniqueArray(entry, { selector: each => each.number })
    await fc.assert(
      fc.asyncProperty(entries, fc.integer({ min: 1, max: 50 }), async (list, size) => {
        const file = [...formatDoNotTextCsv(list.map(entryWith))].join('')
        const read = await rowsOf(file, size)
        const wanted = list.map(({ number, note: text }) => ({
          number,
          ...(text === '' ? {} : { note: text }),
          added_on: '2030-01-01 00:00:00',
          reason: 'api',
        }))
        expect(read.map(row => ('entry' in row ? row.entry : row.problem))).toEqual(wanted)
      }),
    )
  })
})
