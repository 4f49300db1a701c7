import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMultipart } from '../../../src/server/http/multipart-body.js'

const type = 'multipart/form-data; boundary=x'

function part(name: string, value: string, headers = ''): string {
  return `--x\r\nContent-Disposition: form-data; name="${name}"${headers}\r\n\r\n${value}\r\n`
}

async function read(text: string, contentType = type): Promise<[string, string][]> {
  const fields = await parseMultipart(Buffer.from(text), contentType)
  return Object.entries(fields).map(([name, value]) => [name, String(value)])
}

test.each<[string, string, [string, string][]]>([
  ['one field', `${part('a', '1')}--x--\r\n`, [['a', '1']]],
  ['no line break at the end', `${part('a', '1')}--x--`, [['a', '1']]],
  ['an empty value', `${part('a', '')}--x--`, [['a', '']]],
  ['several lines', `${part('a', '1\r\n\r\n2\n')}--x--`, [['a', '1\r\n\r\n2\n']]],
  [
    'text like a boundary',
    `${part('a', '-x\r\n --x--\r\n--y--')}--x--`,
    [['a', '-x\r\n --x--\r\n--y--']],
  ],
  ['other letters', `${part('ü', '\u{1f4f1}')}--x--`, [['ü', '\u{1f4f1}']]],
  [
    'a part with its own type',
    `${part('a', '{"b":1}', '\r\nContent-Type: application/json')}--x--`,
    [['a', '{"b":1}']],
  ],
  ['a field named __proto__', `${part('__proto__', '1')}--x--`, [['__proto__', '1']]],
  ['a preamble and an epilogue', `hello\r\n${part('a', '1')}--x--\r\nbye`, [['a', '1']]],
  [
    'a file, which is ignored',
    `${part('f', '1', '; filename="f"')}${part('a', '1')}--x--`,
    [['a', '1']],
  ],
])('a body with %s is parsed', async (_, text, fields) => {
  expect(await read(text)).toEqual(fields)
})

test.each([
  'multipart/form-data; boundary="x"',
  'Multipart/Form-Data; Boundary=x',
  'multipart/form-data; charset=utf-8; boundary=x',
])('the boundary of %s is found', async contentType => {
  expect(await read(`${part('a', '1')}--x--`, contentType)).toEqual([['a', '1']])
})

test('the fields have no prototype', async () => {
  const fields = await parseMultipart(Buffer.from(`${part('a', '1')}--x--`), type)
  expect(Object.getPrototypeOf(fields)).toBeNull()
})

test.each<[string, string, string, RegExp]>([
  ['a repeated field', `${part('a', '1')}${part('a', '2')}--x--`, type, /`a` must be given once/],
  ['no boundary', `${part('a', '1')}--x--`, 'multipart/form-data', /malformed/],
  ['another boundary', `${part('a', '1')}--x--`, 'multipart/form-data; boundary=y', /malformed/],
  ['no end', part('a', '1'), type, /malformed/],
  ['half a head', '--x\r\nContent-Disposition: form-da', type, /malformed/],
  ['another text', 'a=1', type, /malformed/],
  ['too many fields', `${many(101)}--x--`, type, /at most 100 fields/],
])('a body with %s is invalid_request', async (_, text, contentType, sentence) => {
  await expect(read(text, contentType)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(sentence),
  })
})

test('a body with 100 fields is parsed', async () => {
  expect(await read(`${many(100)}--x--`)).toHaveLength(100)
})

test('property: a body that fetch encodes is parsed to the same fields', async () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  const value = fc.string({ unit: 'grapheme' })
  const pairs = fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(pairs, async fields => {
      const data = new FormData()
      for (const [key, text] of fields) data.append(key, text)
      const encoded = new Response(data)
      const contentType = encoded.headers.get('content-type') ?? ''
      const bytes = Buffer.from(await encoded.arrayBuffer())
      const found = Object.entries(await parseMultipart(bytes, contentType))
      expect(found.map(([, text]) => text).toSorted()).toEqual(
        fields.map(([, text]) => text.replace(/\r\n|\r|\n/g, '\r\n')).toSorted(),
      )
    }),
    { numRuns: 50 },
  )
})

function many(count: number): string {
  return Array.from({ length: count }, (_, n) => part(`f${n}`, '')).join('')
}

test('a file becomes a field with its bytes only with the option files', async () => {
  const bytes = Buffer.from([0, 0xff, 0x0d, 0x0a, 0x31])
  const head = Buffer.from(
    `${part('a', '1')}--x\r\nContent-Disposition: form-data; name="f"; filename="f.csv"\r\n\r\n`,
  )
  const body = Buffer.concat([head, bytes, Buffer.from('\r\n--x--\r\n')])
  expect({ ...(await parseMultipart(body, type, true)) }).toEqual({ a: '1', f: bytes })
  expect({ ...(await parseMultipart(body, type)) }).toEqual({ a: '1' })
})

const sizes = [16 * 1024 - 1, 16 * 1024, 64 * 1024, 64 * 1024 + 1, 255 * 1024, 4 * 1024 * 1024]
const binary = '\r\nContent-Type: application/octet-stream'

test.each(sizes)('files and binary fields of %i bytes are parsed', async size => {
  for (const value of ['x'.repeat(size), '\r\n'.repeat(size / 2)]) {
    const first = part('f', value, '; filename="f"')
    const body = Buffer.from(`${first}${part('b', value, binary)}${part('a', value)}--x--\r\n`)
    expect({ ...(await parseMultipart(body, type)) }).toEqual({ a: value })
    const { a, b, f } = await parseMultipart(body, type, true)
    expect([String(f) === value, String(b) === value, a === value]).toEqual([true, true, true])
  }
})

test('a long file without an end is invalid_request', async () => {
  for (const size of sizes) {
    const body = Buffer.from(part('f', 'x'.repeat(size), '; filename="f"'))
    for (const files of [false, true]) {
      await expect(parseMultipart(body, type, files)).rejects.toMatchObject({
        code: 'invalid_request',
      })
    }
  }
})

test('a file and a field with the same name are rejected', async () => {
  const twice = part('a', '1') + part('a', '2', '; filename="f"')
  const parsed = parseMultipart(Buffer.from(`${twice}--x--`), type, true)
  await expect(parsed).rejects.toThrow('must be given once')
})
