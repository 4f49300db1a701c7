import { expect, test } from 'vitest'
import { getObjectField, readFields } from '../../../src/server/http/request-body.js'
import { type Reply, request } from '../../conformance/calls.js'
import { openConnection } from '../../net/server/client-connection.js'
import { serve } from './app-rig.js'

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'
const multipart = 'multipart/form-data; boundary=x'
const limit = 256 * 1024

async function startReader() {
  return await serve(async request => Object.entries(await readFields(request)))
}

async function send(
  body: string | Buffer,
  headers: Record<string, string>,
): Promise<{ reply: Reply; defects: unknown[] }> {
  const { url, defects } = await startReader()
  const bytes = new Uint8Array(Buffer.from(body as string, 'utf8'))
  return { reply: await request(url, 'POST', { headers, body: bytes }), defects }
}

/** A part with a type of its own. */
const typed =
  '--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: text/json\r\n\r\n{}\r\n'
const part = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

test.each<[string, string, [string, unknown][]]>([
  [
    form,
    'a=1&b=%20',
    [
      ['a', '1'],
      ['b', ' '],
    ],
  ],
  [`${form}; charset=UTF-8`, 'a=ü', [['a', 'ü']]],
  [`${form};charset="utf8"`, 'a=ü', [['a', 'ü']]],
  ['Application/X-WWW-Form-Urlencoded', 'a=1', [['a', '1']]],
  [form, '__proto__=1', [['__proto__', '1']]],
  [
    form,
    '&&a=1=2&&b&',
    [
      ['a', '1=2'],
      ['b', ''],
    ],
  ],
  [form, '=1', [['', '1']]],
  [form, 'a+b=x+y%2B%26%3D%00', [['a b', 'x y+&=\0']]],
  [
    form,
    'a[b]=1;c=2&A=%F0%9F%93%B1',
    [
      ['a[b]', '1;c=2'],
      ['A', '\u{1f4f1}'],
    ],
  ],
  [
    form,
    'constructor=1&toString=2',
    [
      ['constructor', '1'],
      ['toString', '2'],
    ],
  ],
  [
    json,
    '{"a":1,"b":{"c":[true]}}',
    [
      ['a', 1],
      ['b', { c: [true] }],
    ],
  ],
  [`${json}; charset=utf-8`, ' {"a":"\u{1f4f1}"}\r\n', [['a', '\u{1f4f1}']]],
  [json, '\ufeff{"a":1}', [['a', 1]]],
  [`${json}; charset=ISO-8859-1`, '{"a":"ü"}', [['a', 'ü']]],
  [`${json};charset=`, '{"a":1}', [['a', 1]]],
  ['application/cloudevents+json; charset=us-ascii', '{"a":1}', [['a', 1]]],
  ['text/json', '{"a":1}', [['a', 1]]],
  [
    json,
    '{"a":"{\\"a\\":1}:\\\\","b":[{"a":1},{"a":1}]}',
    [
      ['a', '{"a":1}:\\'],
      ['b', [{ a: 1 }, { a: 1 }]],
    ],
  ],
  [`${form}; charset=iso-8859-1`, 'a=%C3%BC', [['a', 'ü']]],
  [form, 'a=95%+%C3%BC+5%zz+%%20%2', [['a', '95% ü 5%zz % %2']]],
  [form, '%=%G0', [['%', '%G0']]],
  [json, '{"__proto__":1}', [['__proto__', 1]]],
  [json, '{}', []],
  [multipart, `${part('a', 'ü')}--x--`, [['a', 'ü']]],
  [multipart, `hello\r\n${part('__proto__', '')}--x--\r\nbye`, [['__proto__', '']]],
  [multipart, `${part('ü', '-x\r\n --x--\r\n\n')}--x--\r\n`, [['ü', '-x\r\n --x--\r\n\n']]],
  ['Multipart/Form-Data; charset=utf-8; Boundary="x"', `${part('a', '1')}--x--`, [['a', '1']]],
  [
    multipart,
    `${typed}${part('b', '1')}--x--`,
    [
      ['a', '{}'],
      ['b', '1'],
    ],
  ],
  [form, '', []],
  [json, '', []],
  [multipart, '', []],
  ['image/png', '', []],
])('%s %j is parsed', async (type, body, fields) => {
  const { reply } = await send(body, { 'content-type': type })
  expect([reply.status, JSON.parse(reply.text)]).toEqual([200, fields])
})

const file = (length: number) =>
  `--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n${'x'.repeat(length)}\r\n`

test('a file of almost the limit of the body is answered', async () => {
  const body = `${file(limit - 200)}${part('a', '1')}--x--`
  const { reply } = await send(body, { 'content-type': multipart })
  expect([reply.status, JSON.parse(reply.text)]).toEqual([200, [['a', '1']]])
})

test('a body of 100 parts is answered', async () => {
  const { reply } = await send(`${many(100)}--x--`, { 'content-type': multipart })
  expect(JSON.parse(reply.text)).toHaveLength(100)
})

test('a file above the limit of the body gets 413, which names the limit', async () => {
  const { reply } = await send(`${file(limit)}--x--`, { 'content-type': multipart })
  expect([reply.status, JSON.parse(reply.text)]).toEqual([
    413,
    { error: 'payload_too_large', error_description: expect.stringContaining(`${limit} bytes`) },
  ])
})

test('the content encoding identity is accepted', async () => {
  const headers = { 'content-type': form, 'content-encoding': 'Identity' }
  expect((await send('a=1', headers)).reply.status).toBe(200)
})

const badText = Buffer.from('a=\xff', 'latin1')

type Refused = [string, Record<string, string>, string | Buffer, number, string]

/** Parts with different names. */
function many(count: number): string {
  return Array.from({ length: count }, (_, n) => part(`f${n}`, '')).join('')
}

test.each<Refused>([
  ['a form that is not UTF-8', { 'content-type': form }, badText, 400, 'invalid_request'],
  [
    'JSON that is not UTF-8',
    { 'content-type': json },
    Buffer.from('{"a":"\xe9"}', 'latin1'),
    400,
    'invalid_request',
  ],
  [
    'multipart that is not UTF-8',
    { 'content-type': multipart },
    Buffer.from(`${part('a', '\xff')}--x--`, 'latin1'),
    400,
    'invalid_request',
  ],
  [
    'a surrogate in UTF-8',
    { 'content-type': form },
    Buffer.from('613deda080', 'hex'),
    400,
    'invalid_request',
  ],
  ...['a=%FC', 'a=%C3', 'a=%C0%80', 'a=%ED%A0%80'].map(
    (body): Refused => [body, { 'content-type': form }, body, 400, 'invalid_request'],
  ),
  ...['a=1&a=2', 'a&a', 'a=1&%61=2', '__proto__=1&__proto__=2', '=&='].map(
    (body): Refused => [
      `a repeated field: ${body}`,
      { 'content-type': form },
      body,
      400,
      'invalid_request',
    ],
  ),
  ...[
    `${part('a', '1')}${part('a', '2')}--x--`,
    part('a', '1'),
    '--x\r\nContent-Disposition: form-da',
    'a=1',
    `${many(101)}--x--`,
    part('f', 'x'.repeat(70_000)).replace('"f"', '"f"; filename="f"'),
  ].map(
    (body): Refused => [
      `multipart ${body.slice(0, 20)}`,
      { 'content-type': multipart },
      body,
      400,
      'invalid_request',
    ],
  ),
  ...['multipart/form-data', 'multipart/form-data; boundary=y'].map(
    (type): Refused => [
      type,
      { 'content-type': type },
      `${part('a', '1')}--x--`,
      400,
      'invalid_request',
    ],
  ),
  ['malformed JSON', { 'content-type': json }, '{a:1}', 400, 'invalid_request'],
  ['a JSON array', { 'content-type': json }, '[1]', 400, 'invalid_request'],
  ['JSON null', { 'content-type': json }, 'null', 400, 'invalid_request'],
  ['two JSON objects', { 'content-type': json }, '{}{}', 400, 'invalid_request'],
  [
    'another charset',
    { 'content-type': `${form}; charset=iso-8859-1` },
    'a=ü',
    415,
    'unsupported_media_type',
  ],
  [
    'JSON in UTF-16',
    { 'content-type': `${json}; charset=utf-16` },
    Buffer.from('\ufeff{}', 'utf16le'),
    400,
    'invalid_request',
  ],
  ['a repeated name', { 'content-type': json }, '{"a":1,"a":2}', 400, 'invalid_request'],
  [
    'a deep one',
    { 'content-type': json },
    '{"b":[{"c":{"a":1, "\\u0061" : 2}}]}',
    400,
    'invalid_request',
  ],
  ['plain text', { 'content-type': 'text/plain' }, 'a=1', 415, 'unsupported_media_type'],
  ['an empty type', { 'content-type': '' }, 'a=1', 415, 'unsupported_media_type'],
  ['half a type', { 'content-type': 'application/' }, 'a=1', 415, 'unsupported_media_type'],
  [
    'a type with a longer name',
    { 'content-type': 'application/json5' },
    '{}',
    415,
    'unsupported_media_type',
  ],
  [
    'a gzip body',
    { 'content-type': form, 'content-encoding': 'gzip' },
    'a=1',
    415,
    'unsupported_media_type',
  ],
  [
    'a body with two encodings',
    { 'content-type': form, 'content-encoding': 'identity, br' },
    'a=1',
    415,
    'unsupported_media_type',
  ],
])('%s is rejected', async (_, headers, body, status, error) => {
  const { url, defects } = await startReader()
  const bytes = new Uint8Array(Buffer.from(body as Buffer))
  const reply = await request(url, 'POST', { headers, body: bytes })
  expect(reply).toMatchObject({ status, body: { error } })
  expect(defects).toEqual([])
})

test('a body of the maximum length is parsed; one byte more is payload_too_large', async () => {
  const { url } = await startReader()
  const headers = { 'content-type': form }
  const longest = `a=${'x'.repeat(limit - 2)}`
  expect((await request(url, 'POST', { headers, body: longest })).status).toBe(200)
  const reply = await request(url, 'POST', { headers, body: `${longest}x` })
  expect(reply).toMatchObject({ status: 413, body: { error: 'payload_too_large' } })
})

test.each([
  ['with its length', `Content-Length: ${limit + 65_536}`, (bytes: string) => bytes, ''],
  [
    'in chunks',
    'Transfer-Encoding: chunked',
    (bytes: string) => `${bytes.length.toString(16)}\r\n${bytes}\r\n`,
    '0\r\n\r\n',
  ],
])(
  'a client that sends too much %s gets the reply, and its connection stays open',
  async (_, framing, frame, end) => {
    const { port } = await startReader()
    const { write, replies } = await openConnection(port)
    await write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${json}\r\n${framing}\r\n\r\n`)
    for (let n = 0; n < limit / 65_536 + 1; n += 1) await write(frame('x'.repeat(65_536)))
    await write(`${end}GET / HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    const [rejected, next] = await replies(2)
    expect(rejected).toContain('413 Payload Too Large')
    expect(rejected).toContain('payload_too_large')
    expect(next).toContain('200 OK')
  },
)

test('a body that arrives byte by byte is parsed', async () => {
  const { port } = await startReader()
  const { write, replies } = await openConnection(port)
  await write(
    `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${form}\r\nContent-Length: 7\r\n\r\n`,
  )
  for (const byte of 'a=1%20b') {
    await write(byte)
    await new Promise(setImmediate)
  }
  expect((await replies(1))[0]).toContain('[["a","1 b"]]')
})

test('a client that disconnects during its body is not reported as a defect', async () => {
  const answers: Promise<unknown>[] = []
  const { port, defects } = await serve(request => {
    const read = readFields(request)
    answers.push(read.catch(error => error.code))
    return read
  })
  const { write, socket, closed } = await openConnection(port)
  await write(
    `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${form}\r\nContent-Length: 9\r\n\r\na=1`,
  )
  while (answers.length === 0) await new Promise(setImmediate)
  socket.destroy()
  await closed
  expect(await answers[0]).toBe('invalid_request')
  await new Promise(setImmediate)
  expect(defects).toEqual([])
})

test.each<[unknown, unknown]>([
  [{ a: 1 }, { a: 1 }],
  ['{"a":1}', { a: 1 }],
  [' {} ', {}],
  [undefined, 'invalid_request'],
  [null, 'invalid_parameter'],
  [[], 'invalid_parameter'],
  ['[]', 'invalid_parameter'],
  ['null', 'invalid_parameter'],
  ['', 'invalid_parameter'],
  ['{', 'invalid_parameter'],
  [5, 'invalid_parameter'],
  [true, 'invalid_parameter'],
])('the object field %j is %j', (value, expected) => {
  const read = () => {
    try {
      return getObjectField({ message: value }, 'message')
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  expect(read()).toEqual(expected)
})
