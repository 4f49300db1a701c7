import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDoNotTextCsv } from '../../../src/cli/do-not-text/do-not-text-import.js'
import { type DoNotTextCsvRow, formatDoNotTextCsv } from '../../../src/contract/do-not-text-csv.js'
import type { DoNotTextFields } from '../../../src/contract/do-not-text-schema.js'
import { charsetVectors } from '../../charset-vectors.js'

/** Reads a file in chunks of this many bytes. */
async function readRows(
  file: string | Buffer,
  size = 7,
  encoding?: string,
): Promise<DoNotTextCsvRow[]> {
  const bytes = Buffer.from(file)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const rows: DoNotTextCsvRow[] = []
  for await (const row of readDoNotTextCsv(pieces(), encoding)) rows.push(row)
  return rows
}

const createEntry = (changes: Partial<DoNotTextFields> = {}): DoNotTextFields => ({
  number: '+12025550143',
  added_on: '2030-01-01 00:00:00',
  scope: 'account',
  reason: 'api',
  by: 'api key',
  note: null,
  ...changes,
})

describe('reading a list', () => {
  test('without a header, the columns are number, note, added_on and reason', async () => {
    const file = '+1202,a note,2020-01-02 03:04:05,stop\n (202) 555-0143\n+3,,,\n'
    expect(await readRows(file)).toEqual([
      {
        line: 1,
        entry: { number: '+1202', note: 'a note', added_on: '2020-01-02 03:04:05', reason: 'stop' },
      },
      { line: 2, entry: { number: '(202) 555-0143' } },
      { line: 3, entry: { number: '+3' } },
    ])
  })

  test('a header names the columns in any order; unknown ones are ignored', async () => {
    const file = '\ufeffName,Note, NUMBER \r\nAnn,"x, y",+1\r\n,,+2\r\n'
    expect(await readRows(file)).toEqual([
      { line: 2, entry: { number: '+1', note: 'x, y' } },
      { line: 3, entry: { number: '+2' } },
    ])
  })

  test.each([
    [';', 2, 'number;note\n+1;a, b\n'],
    ['\t', 2, 'Phone\tnote\n+1\ta, b\n'],
    ['|', 2, 'note|to\na, b|+1\n'],
    ['declared', 3, 'sep=;\ndestination;note\n+1;a, b\n'],
  ])('a separator: %s', async (_, line, file) => {
    const rows = [{ line, entry: { number: '+1', note: 'a, b' } }]
    expect(await readRows(file)).toEqual(rows)
    expect(await readRows(Buffer.from(`\ufeff${file}`, 'utf16le'))).toEqual(rows)
  })

  test('two columns that could have the numbers are an error', async () => {
    const rows = readRows('phone,number\n+1,+2\n')
    await expect(rows).rejects.toThrow('Several columns could have the numbers: phone, number.')
  })

  test('each row has the number of its first line', async () => {
    const file = 'number,note\r\n+1,"a\r\nb\nc"\r\n\r\n ,\r\n+2," say ""x"" "\n+3, last'
    expect(await readRows(file)).toEqual([
      { line: 2, entry: { number: '+1', note: 'a\nb\nc' } },
      { line: 7, entry: { number: '+2', note: 'say "x"' } },
      { line: 8, entry: { number: '+3', note: 'last' } },
    ])
  })

  test('a row with too many columns has a problem', async () => {
    const [row] = await readRows('+1,one,two,three,four,five\n')
    expect(row).toMatchObject({ line: 1, problem: expect.stringContaining('columns') })
  })

  test('a file that is not CSV is rejected', async () => {
    const rejected = readRows('+1,a\n+2,"b\n+3,c\n')
    await expect(rejected).rejects.toMatchObject({ code: 'invalid_parameter' })
    await expect(rejected).rejects.toThrow('Line 2: a quote is never closed')
  })

  test.each(charsetVectors)('a note in $label has exact characters', async vector => {
    const { bytes, text } = vector.others
    const file = Buffer.concat([Buffer.from('+1,<'), bytes, Buffer.from('>\n')])
    expect(await readRows(file, 3, vector.label)).toEqual([
      { line: 1, entry: { number: '+1', note: `<${text}>` } },
    ])
  })

  test('a file may be empty', async () => {
    expect(await readRows('')).toEqual([])
    expect(await readRows('number,note\n')).toEqual([])
  })
})

describe('writing a list', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+cmd', "'+cmd"],
    ['-2+3', "'-2+3"],
    ['-2', '-2'],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t\'=1"'],
    ['x;=1+1', "x;'=1+1"],
    ['x;-2;+12025550123', 'x;-2;+12025550123'],
    ['x; =1', "x;' =1"],
    ['x\t@A1', "x\t'@A1"],
    ['two\n=1', '"two\n\'=1"'],
    ['two\r\n－1', '"two\r\n\'－1"'],
    ['＝1', "'＝1"],
    ["'=1", "''=1"],
    ["it's", "it's"],
    ['a "b", c', '"a ""b"", c"'],
    ['two\nlines', '"two\nlines"'],
  ])('the note %j cannot run as a formula', (note, written) => {
    const [, line] = [...formatDoNotTextCsv([createEntry({ note })])]
    const cells = written.startsWith('"\'\t') ? written.slice(1, -1) : written
    expect(line).toBe(`+12025550143,${cells},2030-01-01 00:00:00,api,api key\r\n`)
  })

  test('missing values are empty cells', () => {
    const old = createEntry({ reason: null, by: null })
    expect([...formatDoNotTextCsv([old])].join('')).toBe(
      'number,note,added_on,reason,by\r\n+12025550143,,2030-01-01 00:00:00,,\r\n',
    )
  })

  test('reading a written list returns the same entries', async () => {
    const note = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.stringMatching(/^['=+\-@\t\r\n", ;a]{0,8}$/),
    )
    const entry = fc.record({
      number: fc.stringMatching(/^\+?\d{3,15}$/),
      note: note
        .filter(text => text.isWellFormed() && !text.includes('\0'))
        .map(text => text.replaceAll('\r', '').trim()),
    })
    const entries = fc.uniqueArray(entry, { selector: each => each.number })
    await fc.assert(
      fc.asyncProperty(entries, fc.integer({ min: 1, max: 50 }), async (list, size) => {
        const file = [...formatDoNotTextCsv(list.map(createEntry))].join('')
        const read = await readRows(file, size)
        const expected = list.map(({ number, note: text }) => ({
          number,
          ...(text === '' ? {} : { note: text }),
          added_on: '2030-01-01 00:00:00',
          reason: 'api',
        }))
        expect(read.map(row => ('entry' in row ? row.entry : row.problem))).toEqual(expected)
      }),
    )
  })
})
