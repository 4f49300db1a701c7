import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { isRelayError } from '../../../../../src/errors.js'
import { parseExport } from '../../../../../src/server/store/lowdb/import/parse-export.js'
import { createCollections } from '../../../../../src/server/store/lowdb/records/collections.js'
import { isFullRun } from '../../../../tier.js'
import { type ExportLine, mutate } from './wrong-records.js'

const fixture = new URL('../../../../fixtures/data-directory.records.ndjson', import.meta.url)

/** A record of each kind that the fixture lacks. */
const others = [
  { kind: 'meta', key: 'events', record: { seq: 11 } },
  { kind: 'meta', key: 'ada message.create', record: { seq: 3 } },
  { kind: 'group', key: 'g', record: { id: 'g', account: 'ada', name: 'Staff', createdAt: 1 } },
  {
    kind: 'template',
    key: 't',
    record: { id: 't', account: 'ada', name: 'Hi', text: 'Hi {name}', createdAt: 1 },
  },
  {
    kind: 'contact',
    key: 'ada +12025550101',
    record: { account: 'ada', number: '+12025550101', name: 'Grace', createdAt: 1 },
  },
]
const blockOfNobody = {
  kind: 'block',
  key: 'x +12025550188',
  record: { scope: 'x', number: '+12025550188', at: 1 },
}
const people = new URL('../../../../fixtures/people.records.ndjson', import.meta.url)
const text = (await readFile(fixture, 'utf8')) + (await readFile(people, 'utf8'))
const lines: readonly ExportLine[] = [
  ...text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line)),
  ...others,
]

async function* encode(texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const each of texts) yield Buffer.from(each)
}

/** The details of the error; undefined without one. */
async function findErrors(
  texts: readonly (string | Uint8Array)[],
): Promise<readonly string[] | undefined> {
  try {
    await parseExport(encode(texts))
    return undefined
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return error.details
  }
}

const encoded = lines.map(line => JSON.stringify(line))

/** The lines, with the record of one replaced. */
function replaceRecord(kind: string, key: string, changes: object): string[] {
  return lines.map(line =>
    JSON.stringify(
      line.kind === kind && line.key === key
        ? { ...line, record: { ...line.record, ...changes } }
        : line,
    ),
  )
}

/** The first record of a kind with another identifier. */
function copyOf(kind: string, changes: { readonly id: string }): string {
  const { record } = lines.find(line => line.kind === kind) as ExportLine
  const { event: _, ...rest } = record
  return JSON.stringify({ kind, key: changes.id, record: { ...rest, ...changes } })
}

describe('an import', () => {
  test('accepts an export with records of every kind', async () => {
    const data = await parseExport(encode(encoded))
    const missing = Object.entries(data).filter(([, records]) => records.size === 0)
    expect(missing).toEqual([])
    expect(Object.keys(data)).toEqual(Object.keys(createCollections()))
  })

  test('refuses every wrong line and names it', async () => {
    const accepted: string[] = []
    let count = 0
    for (const { name, lines: wrong } of mutate(lines)) {
      count += 1
      if (!isFullRun && count % 5 !== 0) continue
      const errors = await findErrors(wrong)
      if (errors === undefined) accepted.push(name)
      else expect(errors[0], name).toMatch(/^line \d+: [\w.]+: ./)
    }
    expect(accepted).toEqual([])
    expect(count).toBeGreaterThan(1331)
  })

  const waiting = '018bcfe5-6800-7000-8000-000000000004'
  test.each([
    ['account', 'a message', replaceRecord('message', waiting, { account: 'x' })],
    ['scope', 'a listed number', [...encoded, JSON.stringify(blockOfNobody)]],
    ['message', 'an event, by its message', replaceRecord('event', '1', { account: 'bob' })],
    ['message', 'an event, by its text', replaceRecord('event', '11', { account: 'bob' })],
    ['message', 'an event of a text', replaceRecord('event', '11', { event: 'message.sent' })],
    ['event', 'a text of another event', replaceRecord('received', 'text-1', { event: 10 })],
    ['trying.seq', 'a retry of another', replaceRecord('event', '4', { event: 'message.sent' })],
    ['trying.seq', 'a retried cursor', replaceRecord('subscription', 'sub-create', { cursor: 4 })],
    ['email', 'a taken address', replaceRecord('account', 'bob', { email: 'ADA@example.com' })],
    [
      'email',
      'the address of an account',
      replaceRecord('person', 'person-1', { email: 'BOB@example.com' }),
    ],
    ['person', 'a token of nobody', replaceRecord('token', 'token-person', { account: 'bob' })],
    ['secretKey', 'a taken key', replaceRecord('account', 'bob', { secretKey: 'sk_ada' })],
    ['before', 'a deletion without state', replaceRecord('message', waiting, { status: 'D' })],
    [
      'createdAt',
      'a time of the year 0',
      replaceRecord('message', waiting, { createdAt: -62135596800001 }),
    ],
    [
      'sendAt',
      'a time of the year 10000',
      replaceRecord('message', waiting, { sendAt: 253402300800000 }),
    ],
    [
      'number',
      'a number of 16 digits',
      replaceRecord('message', waiting, { number: '+1234567890123456' }),
    ],
    ['failures', 'six failures', replaceRecord('message', waiting, { failures: 6 })],
    ['text', 'an empty text', replaceRecord('message', waiting, { text: '' })],
    [
      'text',
      'a text of 1601 characters',
      replaceRecord('message', waiting, { text: 'x'.repeat(1601) }),
    ],
    ['text', 'a text with U+0000', replaceRecord('message', waiting, { text: 'a\0' })],
    ['text', 'half a character', replaceRecord('message', waiting, { text: '\ud800' })],
    [
      'destination',
      'a long destination',
      replaceRecord('message', waiting, { destination: '1'.repeat(65) }),
    ],
    ['country', 'an unknown country', replaceRecord('account', 'bob', { country: 'XX' })],
    [
      'timeZone',
      'an unknown time zone',
      replaceRecord('account', 'bob', { timeZone: 'Mars/Base' }),
    ],
    [
      'alerts',
      'two addresses in one',
      replaceRecord('account', 'bob', { alerts: 'x,y@example.com' }),
    ],
    ['helpText', 'a long reply', replaceRecord('account', 'bob', { helpText: 'x'.repeat(1601) })],
    [
      'method',
      'a method that is no token',
      replaceRecord('subscription', 'sub-create', { method: 'P T' }),
    ],
    [
      'method',
      'a long method',
      replaceRecord('subscription', 'sub-create', { method: 'P'.repeat(17) }),
    ],
    ['window', 'a wide window', replaceRecord('subscription', 'sub-create', { window: 33 })],
    ['text', 'an empty template', replaceRecord('template', 't', { text: '' })],
    ['name', 'a long name', replaceRecord('group', 'g', { name: 'x'.repeat(101) })],
    ['alias', 'an alias with a key', replaceRecord('mailbox', 'box-1', { hash: 'x' })],
    ['alias', 'two aliases', [...encoded, copyOf('mailbox', { id: 'box-2' })]],
    ['name', 'two phones with one name', [...encoded, copyOf('phone', { id: 'phone-2' })]],
    ['hash', 'two URLs with one secret', [...encoded, copyOf('capability', { id: 'url-2' })]],
    ['once.key', 'two texts of one request', [...encoded, copyOf('received', { id: 'text-3' })]],
  ])('refuses the field %s of %s', async (field, _, wrong) => {
    const errors = await findErrors(wrong)
    expect(errors?.some(each => each.includes(`: record.${field}: `))).toBe(true)
  })

  test.each([
    ['a text that is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['an array', '[]'],
    ['a number', '1'],
    ['half a line', '{"kind":"acc'],
  ])('refuses %s', async (_, line) => {
    const number = encoded.length + 1
    expect(await findErrors([...encoded, line])).toEqual([
      expect.stringMatching(`^line ${number}: line: `),
    ])
  })

  test('lists 20 errors with line, field and reason, and counts the others', async () => {
    const wrong = Array.from({ length: 23 }, (_, index) => ({
      kind: 'token',
      key: `t${index}`,
      record: { id: `t${index}`, account: 'ada', kind: 'api', expiresAt: 'soon' },
    }))
    const errors = await findErrors([...encoded, ...wrong.map(each => JSON.stringify(each))])
    expect(errors).toHaveLength(21)
    expect(errors?.[0]).toMatch(`line ${lines.length + 1}: record.expiresAt: `)
    expect(errors?.at(-1)).toBe('and 3 more')
  })

  test('reports wrong references together with wrong records', async () => {
    const [account, ...rest] = replaceRecord('account', 'ada', { mode: 'never' })
    const wrong = rest.map(line => line.replace('"account":"bob"', '"account":"eve"'))
    const errors = await findErrors([account ?? '', ...wrong])
    expect(errors?.[0]).toMatch(/^line 1: record.mode: /)
    expect(errors?.slice(1).every(each => each.includes('there is no account eve'))).toBe(true)
    expect(errors).toHaveLength(4)
  })

  test.each([
    ['nothing', []],
    ['empty lines', ['', ' ']],
  ])('refuses %s', async (_, empty) => {
    expect(await findErrors(empty)).toEqual([])
  })
})
