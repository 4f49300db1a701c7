import { beforeAll, expect, test } from 'vitest'
import { createMessage, draft, freshNumber, listedIds, read, subscribe } from '../acts.js'
import {
  type Body,
  type Extras,
  expectClientError,
  expectError,
  form,
  json,
  useCallers,
} from '../calls.js'
import { exchange, lastReply } from '../raw.js'

const at = useCallers()

const hook = { event: 'message.failed', url: 'http://127.0.0.1:9/hook' }
let message: Body['message']

beforeAll(async () => {
  message = await createMessage(at.api)
})

/** Every operation with a body. */
const operations: [string, string][] = [
  ['POST', '/message'],
  ['PATCH', '/message/<id>'],
  ['PUT', '/message/<id>/success'],
  ['PUT', '/message/<id>/failure'],
  ['POST', '/subscription'],
  ['POST', '/do-not-text'],
]

const sendBody = (method: string, path: string, extras: Extras = {}) =>
  at.api.call(method, path.replace('<id>', message.id), extras)

async function readEverything(): Promise<unknown> {
  return [
    await listedIds(at.api, { filter: 'all', count: 100 }),
    await read(at.api, message.id),
    (await at.api.get('/subscription')).body,
    (await at.api.get('/do-not-text')).body,
  ]
}

function withType(type: string, body: string | Uint8Array<ArrayBuffer>): Extras {
  return { headers: { 'content-type': type }, body }
}

async function expectRejectedBody(method: string, path: string, extras: Extras, naming = '') {
  const before = await readEverything()
  const reply = await sendBody(method, path, extras)
  expectClientError(reply, naming)
  expect(await readEverything()).toEqual(before)
  return reply
}

test.each(operations)('4 malformed JSON to %s %s is 400', async (method, path) => {
  for (const text of [
    '{',
    '{"message":',
    '{"a":1}}',
    'message',
    '{"message":NaN}',
    "{'a':1}",
    '\u0000',
  ]) {
    const reply = await expectRejectedBody(method, path, withType('application/json', text))
    expect(reply.status, text).toBe(400)
  }
})

test.each(operations)('4 JSON other than an object to %s %s is 400', async (method, path) => {
  for (const value of [null, [], 5, 'text', true, [{ message: draft() }]]) {
    const reply = await expectRejectedBody(method, path, json(value))
    expect(reply.status, JSON.stringify(value)).toBe(400)
  }
})

test.each(operations)('4 an unknown content type to %s %s is 415', async (method, path) => {
  const text = JSON.stringify({
    message: draft(),
    parts: 1,
    error_message: 'x',
    number: '+16462345678',
  })
  for (const type of ['text/plain', 'application/xml', 'application/jsonx', 'image/png', 'json']) {
    const reply = await expectRejectedBody(method, path, withType(type, text))
    expect(reply.status, type).toBe(415)
  }
})

test.each(operations)('4 an empty body to %s %s is invalid_request', async (method, path) => {
  const before = await readEverything()
  expectError(await sendBody(method, path), 400, 'invalid_request')
  const empty = withType('application/x-www-form-urlencoded', '')
  expectError(await sendBody(method, path, empty), 400, 'invalid_request')
  expectError(await sendBody(method, path, json({})), 400, 'invalid_request')
  expect(await readEverything()).toEqual(before)
})

test.each<[string, string, string | Uint8Array<ArrayBuffer>]>([
  ['a form with only a percent sign', 'application/x-www-form-urlencoded', 'message=%7'],
  ['multipart without a boundary', 'multipart/form-data', '--x\r\n\r\n--x--'],
  ['multipart that does not begin', 'multipart/form-data; boundary=x', 'message'],
  [
    'multipart that does not end',
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="message"\r\n\r\n{"destination"',
  ],
  [
    'JSON that is not UTF-8',
    'application/json',
    Buffer.from('7b226d657373616765223a22ff227d', 'hex'),
  ],
  ['JSON nested ten thousand deep', 'application/json', `{"message":${'['.repeat(10_000)}`],
  [
    'closed JSON nested too deep',
    'application/json',
    `{"message":${'['.repeat(9e3)}${']'.repeat(9e3)}}`,
  ],
])('4 POST /message with %s is 400', async (_, type, body) => {
  const reply = await expectRejectedBody('POST', '/message', withType(type, body))
  expect(reply.status).toBe(400)
})

test('4 POST /message with a text that is not UTF-8 is 400', async () => {
  const fields = `{"destination":"${freshNumber()}","message":"BAD"}`
  const body = `message=${encodeURIComponent(fields).replace('BAD', '%FF%FE')}`
  const type = 'application/x-www-form-urlencoded'
  const reply = await expectRejectedBody('POST', '/message', withType(type, body))
  expect(reply.status).toBe(400)
})

const twice = '{"destination":"+12025550143","destination":"+12025550144","message":"x"}'

test.each<[string, string, string, string, string]>([
  ['POST', '/message', 'application/json', `{"message":${twice}}`, 'destination'],
  ['POST', '/message', 'application/json', `{"message":${JSON.stringify(twice)}}`, 'destination'],
  ['POST', '/message', 'application/x-www-form-urlencoded', `message=${twice}`, 'destination'],
  [
    'PATCH',
    '/message/<id>',
    'application/json',
    '{"message":{"message":"a","message":"b"}}',
    'message',
  ],
  ['PUT', '/message/<id>/success', 'application/json', '{"parts":1,"parts":2}', 'parts'],
  ['POST', '/message/batch', 'application/json', `[${twice}]`, 'destination'],
  ['POST', '/message/batch', 'application/x-ndjson', twice, 'destination'],
  [
    'POST',
    '/subscription',
    'application/json',
    '{"event":"message.sent","url":"http://a","url":"http://b"}',
    'url',
  ],
])(
  '4 a name that occurs twice in %s %s as %s is an error',
  async (method, path, type, body, name) => {
    const reply = await expectRejectedBody(method, path, withType(type, body), `\`${name}\``)
    expectError(reply, 400, 'invalid_request')
  },
)

test.each<[string, string, string]>([
  ['message', 'a NUL', '"a\\u0000b"'],
  ['message', 'half a surrogate pair', '"a\\ud83db"'],
  ['message', 'surrogates in the wrong order', '"\\udc4b\\ud83d"'],
  ['destination', 'a NUL', '"+16462345678\\u0000"'],
  ['destination', 'half a surrogate pair', '"+16462345678\\ud83d"'],
  ['send_on', 'a NUL', '"2090-01-01 00:00:00\\u0000"'],
])('4 POST /message with a %s that contains %s is invalid_parameter', async (name, _, value) => {
  const fields = Object.entries({ ...draft(), [name]: 0 }).map(([key, field]) =>
    key === name ? `"${key}":${value}` : `"${key}":${JSON.stringify(field)}`,
  )
  const text = `{${fields.join(',')}}`
  const before = await readEverything()
  const asForm = await at.api.call('POST', '/message', { body: form({ message: text }) })
  expectError(asForm, 400, 'invalid_parameter', name)
  const asJson = await at.api.call(
    'POST',
    '/message',
    withType('application/json', `{"message":${text}}`),
  )
  expectError(asJson, 400, 'invalid_parameter', name)
  expect(await readEverything()).toEqual(before)
})

test.each<[string, string]>([
  ['url', 'http://127.0.0.1:9/\u0000'],
  ['url', 'http://127.0.0.1:9/\ud83d'],
  ['method', 'PO\u0000ST'],
  ['event', 'message.create\u0000'],
])('4 POST /subscription with %s %j is invalid_parameter', async (name, value) => {
  const reply = await expectRejectedBody(
    'POST',
    '/subscription',
    json({ ...hook, [name]: value }),
    name,
  )
  expectError(reply, 400, 'invalid_parameter', name)
})

test('4 members of a prototype are not members of the message', async () => {
  const text = `{"message":{"__proto__":${JSON.stringify(draft())}}}`
  const reply = await expectRejectedBody('POST', '/message', withType('application/json', text))
  expectError(reply, 400, 'invalid_request', 'destination')
})

test.each([['constructor'], ['toString'], ['__proto__']])(
  '4 a field named %s is ignored',
  async name => {
    const reply = await at.api.call('POST', '/message', {
      body: form({ message: draft(), [name]: 'x' }),
    })
    expect(reply.status, reply.text).toBe(200)
  },
)

test.each(operations)('4 a body of 10 MB to %s %s is payload_too_large', async (method, path) => {
  const before = await readEverything()
  for (const [type, start] of [
    ['application/json', '{"message":"'],
    ['application/x-www-form-urlencoded', 'message='],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="message"\r\n\r\n',
    ],
  ] as const) {
    expectError(await upload(method, path, type, start), 413, 'payload_too_large')
  }
  expect(await readEverything()).toEqual(before)
})

/** Sends 10 MB in pieces until the reply. */
async function upload(method: string, path: string, type: string, start: string) {
  const piece = Buffer.alloc(64 * 1024, 'x')
  const head = [
    `${method} ${at.basePath}/api/1${path.replace('<id>', message.id)} HTTP/1.1`,
    `Host: ${new URL(at.baseUrl).host}`,
    `Authorization: Bearer ${at.api.token}`,
    `Content-Type: ${type}`,
    `Content-Length: ${start.length + 160 * piece.length}`,
    'Connection: close',
  ].join('\r\n')
  const pieces = [`${head}\r\n\r\n${start}`, ...Array<Buffer>(160).fill(piece)]
  return lastReply(await exchange(at.baseUrl, pieces))
}

test('4 a chunked body of 10 MB is payload_too_large', async () => {
  const head = [
    `POST ${at.basePath}/api/1/message HTTP/1.1`,
    `Host: ${new URL(at.baseUrl).host}`,
    `Authorization: Bearer ${at.api.token}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    'Connection: close',
  ].join('\r\n')
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const pieces = [`${head}\r\n\r\n`, ...Array<string>(160).fill(chunk), '0\r\n\r\n']
  const reply = lastReply(await exchange(at.baseUrl, pieces))
  expectError(reply, 413, 'payload_too_large')
})

test('4 PATCH of a subscription rejects malformed bodies', async () => {
  const made = await subscribe(at.api, hook)
  const path = `/subscription/${made.id}`
  expectClientError(await at.api.call('PATCH', path, withType('application/json', '{"event":')))
  expectClientError(
    await at.api.call('PATCH', path, withType('text/plain', 'event=message.failed')),
  )
  expectClientError(await at.api.call('PATCH', path, json({ ...hook, method: 5 })), 'method')
  expect((await at.api.get(path)).body.subscription).toEqual(made)
})
