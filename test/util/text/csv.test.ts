import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CsvOptions, type CsvRecord, readCsv } from '../../../src/util/text/csv.js'
import { charsetVectors } from '../../charset-vectors.js'

async function read(
  text: string | Uint8Array,
  { size = 1 << 16, ...options }: CsvOptions & { size?: number } = {},
): Promise<CsvRecord[]> {
  const bytes = Buffer.from(text)
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const records: CsvRecord[] = []
  for await (const record of readCsv(pieces(), options)) records.push(record)
  return records
}

describe('files of spreadsheets', () => {
  test.each([
    ['commas', 'a,b\n1,2\n'],
    ['semicolons', 'a;b\n1;2\n'],
    ['tabs', 'a\tb\n1\t2\n'],
    ['a line that names the delimiter', 'sep=|\r\na|b\r\n1|2\r\n'],
    ['carriage returns and line feeds', 'a,b\r\n1,2\r\n'],
    ['carriage returns', 'a,b\r1,2'],
    ['a byte order mark', '\ufeffa,b\n1,2'],
    ['quotes', '"a","b"\n"1","2"'],
    ['empty lines', '\n\na,b\n\n1,2\n\n'],
  ])('%s', async (_, text) => {
    for (const size of [1, 3, 1000]) {
      const records = await read(text, { size })
      expect(records.map(each => each.cells)).toEqual([
        ['a', 'b'],
        ['1', '2'],
      ])
    }
  })

  test('UTF-16 with a byte order mark, and a given encoding', async () => {
    const utf16 = Buffer.from('\ufeffa;b\r\nÜ;☎\r\n', 'utf16le')
    expect((await read(utf16, { size: 3 }))[1]?.cells).toEqual(['Ü', '☎'])
    const latin = Buffer.from('a;b\nM\u00fcller;\u00df\n', 'latin1')
    const records = await read(latin, { encoding: 'windows-1252' })
    expect(records[1]?.cells).toEqual(['Müller', 'ß'])
  })

  test.each(charsetVectors)('a cell in $label has exact characters', async vector => {
    const { bytes, text } = vector.others
    const file = Buffer.concat([Buffer.from('a;b\n1;'), bytes, Buffer.from('\n')])
    for (const size of [1, 3, 1000]) {
      const records = await read(file, { size, encoding: vector.label })
      expect(records[1]?.cells).toEqual(['1', text])
    }
  })

  test('delimiters in quotes do not count', async () => {
    expect((await read('"a,b,c";d\n1;2'))[0]?.cells).toEqual(['a,b,c', 'd'])
  })
})

test('each record has the number of its first line', async () => {
  const text = 'sep=;\r\na;b\r\n\r\n1;"x\r\n\r\ny"\r\n2;z\r\n"3\n";"\n\n"\r\n\r\n4;w'
  for (const size of [1, 5, 1000]) {
    expect((await read(text, { size })).map(each => each.line)).toEqual([2, 4, 7, 8, 13])
  }
})

test.each([
  ['a,b\n1,"x\n', /^Line 2: /],
  ['a,b\n1,2\n1,"x"y\n', /^Line 3: /],
  ['a,b\n1,2\n1,x"y\n', /^Line 3: /],
  [`a,b\n1,"${'x'.repeat(1_100_000)}`, /1 MiB/],
  [Buffer.from('a,b\nM\u00fcller,1', 'latin1'), /UTF-8/],
  [Buffer.from([0x61, 0xc3]), /UTF-8/],
])('invalid CSV is an error that names the line or the encoding', async (text, message) => {
  await expect(read(text)).rejects.toMatchObject({
    code: 'invalid_parameter',
    message: expect.stringMatching(message),
  })
})

test('any cells, delimiter and chunks are read as they were written', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ' ', ',', ';', '"', '\n', 'ß', '😀', '\t') })
  const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom(',', ';', '\t', '|'),
      fc.integer({ min: 1, max: 9 }),
      async (rows, delimiter, size) => {
        const all = [['h1', 'h2', 'h3'], ...rows]
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        const text = all.map(row => row.map(quoted).join(delimiter)).join('\r\n')
        expect((await read(text, { size })).map(each => each.cells)).toEqual(all)
      },
    ),
  )
})
