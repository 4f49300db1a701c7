import { expect, it } from 'vitest'
import { chooseOutput } from '../../../src/cli/output/choose-output.js'
import type { Column } from '../../../src/cli/output/column.js'
import type { OutputFlags } from '../../../src/cli/output/output-flags.js'
import { RecordPrinter } from '../../../src/cli/output/record-printer.js'
import { readCsv } from '../../../src/util/text/csv.js'
import { testIo } from '../streams.js'

interface Parcel {
  readonly id: string
  readonly sent_on: string | null
  readonly weight?: number
  readonly fragile: boolean
  readonly tags: readonly string[]
  readonly note: string
}

const columns: readonly Column<Parcel>[] = [
  { name: 'id', isId: true, read: each => each.id },
  { name: 'sent_on', title: 'sent', isTime: true, empty: 'never', read: each => each.sent_on },
  {
    name: 'weight',
    isWide: true,
    isOptional: true,
    read: each => each.weight,
    show: each => `${each.weight} g`,
  },
  { name: 'fragile', read: each => each.fragile, tone: each => (each.fragile ? 'bad' : undefined) },
  { name: 'tags', isWide: true, read: each => each.tags },
  { name: 'note', canTruncate: true, read: each => each.note },
]

const parcels: readonly Parcel[] = [
  {
    ...{ id: 'p9', sent_on: '2026-01-01 11:57:00', weight: 10, fragile: true, tags: ['a', 'b'] },
    note: '=1+1',
  },
  { id: 'p1', sent_on: null, fragile: false, tags: [], note: 'two\nlines, and "quotes"' },
  { id: 'p5', sent_on: '2026-01-01 13:00:00', weight: 9, fragile: false, tags: [], note: '+491' },
]

interface Given {
  readonly tty?: boolean
  readonly width?: number
  readonly env?: Record<string, string>
}

async function open(flags: OutputFlags, { tty = false, width = 80, env = {} }: Given = {}) {
  const io = testIo({ tty, env })
  const clock = { ...io.clock, now: () => Date.parse('2026-01-01T12:00:00Z') }
  const stdout = Object.assign(io.stdout, { columns: width })
  const printer = new RecordPrinter(await chooseOutput(flags, columns), { ...io, stdout, clock })
  return { printer, io }
}

async function list(flags: OutputFlags, given?: Given): Promise<string> {
  const { printer, io } = await open(flags, given)
  await printer.printList(parcels, 'There are no parcels.')
  expect(io.err()).toBe('')
  return io.out()
}

it('a table has times in UTC and one line a record', async () => {
  expect(await list({})).toBe(
    [
      'ID  SENT (UTC)           FRAGILE  NOTE',
      'p9  2026-01-01 11:57:00  yes      =1+1',
      'p1  never                no       two lines, and "quotes"',
      'p5  2026-01-01 13:00:00  no       +491',
      '',
    ].join('\n'),
  )
})

it('a terminal gets ages, colors and cells that fit', async () => {
  expect(await list({}, { tty: true, width: 38 })).toBe(
    [
      'ID  SENT       FRAGILE  NOTE',
      'p9  3 min ago  \u001b[31myes      \u001b[39m=1+1',
      'p1  never      no       two lines, an…',
      'p5  in 1 h     no       +491',
      '',
    ].join('\n'),
  )
  expect(await list({}, { tty: true, env: { NO_COLOR: '1' } })).not.toContain('\u001b')
})

it('a table on a terminal has no empty columns', async () => {
  const { printer, io } = await open({}, { tty: true })
  await printer.printList([{ id: 'p2', sent_on: null, fragile: false, tags: [], note: '' }], '')
  expect(io.out()).toBe('ID  SENT   FRAGILE\np2  never  no\n')
})

it('a terminal of 0 columns gets whole cells', async () => {
  const text = await list({ columns: 'id,note' }, { tty: true, width: 0 })
  expect(text).toContain('p1  two lines, and "quotes"\n')
})

it('a narrow terminal gets no optional columns', async () => {
  expect(await list({ columns: 'id,weight' }, { tty: true, width: 9 })).toBe('ID\np9\np1\np5\n')
})

it('a terminal that is too narrow for a table gets a line for each value', async () => {
  expect(await list({ columns: 'id,sent_on,weight' }, { tty: true, width: 12 })).toBe(
    [
      'id      p9',
      'sent    2026-01-01 11:57:00 UTC (3 min ago)',
      'weight  10 g',
      '',
      'id    p1',
      'sent  never',
      '',
      'id      p5',
      'sent    2026-01-01 13:00:00 UTC (in 1 h)',
      'weight  9 g',
      '',
    ].join('\n'),
  )
})

it('CSV has all columns, no age, and harmless cells that a reader gets back', async () => {
  const text = await list({ output: 'csv' })
  expect(text.split('\r\n')).toHaveLength(parcels.length + 2)
  expect(await list({ output: 'csv' }, { tty: true })).toBe(text.replaceAll('\r\n', '\n'))
  const rows: (readonly string[])[] = []
  async function* encode(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text)
  }
  for await (const { cells } of readCsv(encode())) rows.push(cells)
  expect(rows).toEqual([
    ['id', 'sent_on', 'weight', 'fragile', 'tags', 'note'],
    ['p9', '2026-01-01 11:57:00', '10', 'true', 'a b', "'=1+1"],
    ['p1', '', '', 'false', '', 'two\nlines, and "quotes"'],
    ['p5', '2026-01-01 13:00:00', '9', 'false', '', '+491'],
  ])
})

it('JSON has the records as they are', async () => {
  expect(await list({ output: 'json' })).toBe(`${JSON.stringify(parcels)}\n`)
  expect(await list({ json: true })).toBe(`${JSON.stringify(parcels)}\n`)
})

it('--columns chooses the columns of tables, CSV and single records', async () => {
  expect(await list({ columns: 'tags, id' })).toBe('TAGS  ID\na, b  p9\n      p1\n      p5\n')
  expect(await list({ columns: 'tags', output: 'csv' })).toBe('tags\r\na b\r\n\r\n\r\n')
  const { printer, io } = await open({ columns: 'note' })
  await printer.printOne(parcels[1] as Parcel)
  expect(io.out()).toBe('note  two\n      lines, and "quotes"\n')
})

it.each([
  [{ jq: '.[].id' }, 'p9\np1\np5\n'],
  [{ jq: '.[].id', json: true }, '"p9"\n"p1"\n"p5"\n'],
  [{ jq: 'map(select(.fragile)) | length # a comment' }, '1\n'],
  [{ jq: '.[] | select(.id == "p0")' }, ''],
  [{ jq: '.[0] | {id, weight}' }, '{"id":"p9","weight":10}\n'],
])('%j prints %j', async (flags, text) => {
  expect(await list(flags)).toBe(text)
})

it.each([
  [{ output: 'csv', columns: 'note' }, 'note\r\na\u001b[2Jb\u009b\r\n', 'note\nab\n'],
  [{ jq: '.[].note' }, 'a\u001b[2Jb\u009b\n', 'ab\n'],
])('%j leaves out escape sequences only on a terminal', async (flags, text, shown) => {
  const parcel = { id: 'p', sent_on: null, fragile: false, tags: [], note: 'a\u001b[2Jb\u009b' }
  for (const tty of [false, true]) {
    const { printer, io } = await open(flags, { tty })
    await printer.printList([parcel], '')
    expect(io.out()).toBe(tty ? shown : text)
  }
})

it('JSON has escaped control characters of 8 bits', async () => {
  const parcel = { id: 'p', sent_on: null, fragile: false, tags: [], note: 'a\u009b2Jb\u202e' }
  const { printer, io } = await open({ output: 'json' })
  await printer.printOne(parcel)
  expect(io.out()).toContain('"a\\u009b2Jb\\u202e"')
  expect(JSON.parse(io.out())).toEqual(parcel)
})

it('a jq program that fails is an error', async () => {
  await expect(list({ jq: '.id' })).rejects.toMatchObject({
    code: 'invalid_parameter',
    message: expect.stringMatching(/^The jq program failed: Cannot index array/),
  })
})

it.each([
  [{ columns: 'id,wait' }, '--columns: there is no column "wait".', /The columns are id, sent_on/],
  [{ columns: 'weigth' }, '--columns: there is no column "weigth".', /^Did you mean weight\? The/],
  [{ columns: 'id', json: true }, '--columns is for tables and CSV, not for JSON.', /--jq/],
  [{ jq: '.[] |' }, expect.stringMatching(/^--jq "\.\[\] \|" is not a .*: syntax/), /manual/],
  [{ jq: 'nothing' }, expect.stringMatching(/: nothing\/0 is not defined\.$/), /manual/],
  [{ jq: '.', output: 'csv' }, '--jq prints JSON, not csv.', /-o/],
])('%j is a usage error', async (flags, message, hint) => {
  await expect(open(flags)).rejects.toMatchObject({
    ...{ code: 'usage', message, hint: expect.stringMatching(hint) },
  })
})

it('a record is a line a value, with the time and its age on a terminal', async () => {
  const text = [
    'id       p9',
    'sent     2026-01-01 11:57:00 UTC (3 min ago)',
    'weight   10 g',
    'fragile  yes',
    'tags     a, b',
    'note     =1+1',
    '',
  ]
  const { printer, io } = await open({}, { tty: true })
  await printer.printOne(parcels[0] as Parcel)
  expect(io.out()).toBe(text.join('\n'))
})

it.each([
  [{}, '', 'There are no parcels.\n'],
  [{ ids: true }, '', 'There are no parcels.\n'],
  [{ output: 'csv', columns: 'id' }, 'id\r\n', 'There are no parcels.\n'],
  [{ output: 'json' }, '[]\n', ''],
])('an empty list with %j is %j', async (flags, text, note) => {
  const { printer, io } = await open(flags)
  await printer.printList([], 'There are no parcels.')
  expect([io.out(), io.err()]).toEqual([text, note])
})
