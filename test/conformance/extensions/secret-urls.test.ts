import { expect, onTestFinished, test } from 'vitest'
import { block, freshNumber, freshText, listedIds, read } from '../acts.js'
import {
  type Caller,
  type Extras,
  expectError,
  type Fields,
  form,
  json,
  multipart,
  type Reply,
  request,
  useCallers,
} from '../calls.js'

const at = useCallers()

interface SecretUrl {
  id: string
  url: string
  state: string
  used_count: number
  last_used_on: string | null
  [field: string]: unknown
}

async function make(terms: Fields = {}, caller: Caller = at.api): Promise<SecretUrl> {
  const reply = await caller.call('POST', '/url', json(terms))
  expect(reply.status, reply.text).toBe(200)
  expect(reply.headers.get('cache-control')).toBe('no-store')
  const { url } = JSON.parse(reply.text)
  onTestFinished(async () => {
    await caller.delete(`/url/${url.id}`)
  })
  return url
}

async function list(caller: Caller = at.api): Promise<SecretUrl[]> {
  const reply = await caller.get('/url')
  expect(reply.status, reply.text).toBe(200)
  return JSON.parse(reply.text).urls.map((each: { url: SecretUrl }) => each.url)
}

const listed = async ({ id }: SecretUrl) => (await list()).find(each => each.id === id)

/** GET with these fields in the query. */
const get = (url: string, fields: Fields = {}, headers: Record<string, string> = {}) =>
  request(`${url}?${form(fields)}`, 'GET', { headers })

const post = (url: string, extras: Extras) => request(url, 'POST', extras)

async function accepted(reply: Reply): Promise<string> {
  expect(reply.status, reply.text).toBe(200)
  return reply.body.message.id
}

function expectPrivate({ headers }: Reply): void {
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-robots-tag')).toContain('noindex')
}

test.each([
  ['GET with a query', (url: string, fields: Fields) => get(url, fields)],
  ['POST with a query', (url: string, fields: Fields) => post(`${url}?${form(fields)}`, {})],
  ['POST of a form', (url: string, fields: Fields) => post(url, { body: form(fields) })],
  ['POST of multipart', (url: string, fields: Fields) => post(url, { body: multipart(fields) })],
  ['POST of JSON', (url: string, fields: Fields) => post(url, json(fields))],
])('extension: %s of a secret URL creates a message with source url', async (_, send) => {
  const { url } = await make()
  const fields = { destination: freshNumber(), message: `${freshText()} ü€😀 {x}` }
  const reply = await send(url, fields)
  const message = await read(at.api, await accepted(reply))
  expect(message).toMatchObject({ ...fields, source: 'url', status: 'N' })
  expect(reply.body.message).toMatchObject({ id: message.id, status: 'N', source: 'url' })
  expectPrivate(reply)
})

test('extension: a secret URL is shown once, with 128 random bits or more', async () => {
  const made = await make({ name: 'door' })
  const [first = '', second = ''] = [made.url, (await make()).url].map(url => url.split('/').at(-1))
  expect(made.url.startsWith(`${at.baseUrl}/u/`)).toBe(true)
  expect(first.length).toBeGreaterThan(22)
  expect(first).not.toBe(second)
  const text = (await at.api.get('/url')).text
  expect(text).toContain(made.id)
  expect(text).not.toContain(first)
  expect(await listed(made)).toMatchObject({ name: 'door', state: 'active', used_count: 0 })
})

test('extension: the list of secret URLs tells how they were used', async () => {
  const made = await make({ message: 'ring', destination: freshNumber() })
  expect(made.last_used_on).toBeNull()
  for (let n = 0; n < 2; n += 1) await accepted(await get(made.url))
  const { used_count, last_used_on } = (await listed(made)) ?? {}
  expect(used_count).toBe(2)
  expect(last_used_on).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
})

test('extension: a secret URL can be managed by a User Login token, and not by the application key', async () => {
  const made = await make({}, at.person)
  expect((await list(at.person)).map(each => each.id)).toContain(made.id)
  expectError(await at.phone.get('/url'), 403, 'insufficient_scope')
  expectError(await at.phone.call('POST', '/url', json({})), 403, 'insufficient_scope')
  expectError(await at.phone.delete(`/url/${made.id}`), 403, 'insufficient_scope')
})

test('extension: secret URLs of another account are neither listed nor revoked', async () => {
  const made = await make()
  expect((await list(at.stranger)).map(each => each.id)).not.toContain(made.id)
  expectError(await at.stranger.delete(`/url/${made.id}`), 404, 'not_found')
  expect(await listed(made)).toBeDefined()
})

test('extension: a revoked secret URL answers as one that never was', async () => {
  const made = await make({ message: 'x', destination: freshNumber() })
  const deleted = await at.api.delete(`/url/${made.id}`)
  expect(JSON.parse(deleted.text)).toEqual({ url: { id: made.id } })
  const [gone, never] = [await get(made.url), await get(`${at.baseUrl}/u/sru_never`)]
  expectError(gone, 404, 'not_found')
  expect({ status: never.status, text: never.text }).toEqual({ status: 404, text: gone.text })
  expectPrivate(gone)
  expectError(await at.api.delete(`/url/${made.id}`), 404, 'not_found')
})

test('extension: a pinned destination is texted, and another one is refused', async () => {
  const destination = freshNumber()
  const { url } = await make({ destination })
  const message = await read(at.api, await accepted(await get(url, { message: 'x' })))
  expect(message.destination).toBe(destination)
  const other = await get(url, { message: 'x', destination: freshNumber() })
  expectError(other, 400, 'invalid_parameter', 'destination')
})

test('extension: what a secret URL pins is not told to who uses it', async () => {
  const [destination, message] = [freshNumber(), freshText()]
  const reply = await get((await make({ destination, message })).url)
  await accepted(reply)
  expect(reply.text).not.toContain(destination)
  expect(reply.text).not.toContain(message)
})

test('extension: a list of destinations gets a message each, and each number once', async () => {
  const [a, b] = [freshNumber(), freshNumber()]
  const made = await make({ destination: [a, b, `+1 ${a.slice(2)}`], message: 'all' })
  const reply = await get(made.url)
  expect(reply.status, reply.text).toBe(200)
  const messages = reply.body.messages.map(each => each.message.id)
  const sent = await Promise.all(messages.map(id => read(at.api, id)))
  expect(sent.map(each => each.destination)).toEqual([a, b])
  expect((await listed(made))?.used_count).toBe(1)
})

test.each([
  ['fixed', { message: 'ignored', host: 'ignored' }, 'fixed'],
  ['{message}!', { message: 'fire' }, 'fire!'],
  ['{host}: {result} {{{host}}}', { host: 'db1', result: '{host}' }, 'db1: {host} {db1}'],
])(
  'extension: the text %s is filled from the fields of the request',
  async (text, fields, wanted) => {
    const { url } = await make({ destination: freshNumber(), message: text })
    expect(await read(at.api, await accepted(await get(url, fields)))).toMatchObject({
      message: wanted,
    })
  },
)

test('extension: a template reaches into JSON', async () => {
  const message = '{alert.name} {alert.values.0} {ok} {a.b}'
  const { url } = await make({ destination: freshNumber(), message })
  const body = { alert: { name: 'disk', values: [95] }, ok: false, 'a.b': 'flat', a: { b: 1 } }
  const { message: text } = await read(at.api, await accepted(await post(url, json(body))))
  expect(text).toBe('disk 95 false flat')
})

test.each([
  ['no field', {}, 'invalid_request', 'host'],
  ['null', { host: null }, 'invalid_request', 'host'],
  ['an object', { host: {} }, 'invalid_parameter', 'host'],
  ['what nobody sent', { toString: 1 }, 'invalid_request', 'host'],
  ['too long a text', { host: 'x'.repeat(1601) }, 'invalid_parameter', 'message'],
  ['NUL', { host: 'a\0b' }, 'invalid_parameter', 'message'],
])('extension: a template with %s for its field is refused', async (_, body, code, naming) => {
  const { url } = await make({ destination: freshNumber(), message: '{host}' })
  expectError(await post(url, json(body)), 400, code, naming)
})

test('extension: a template reaches nothing that was not sent', async () => {
  for (const name of ['host.constructor', 'host.constructor.name', 'toString']) {
    const { url } = await make({ destination: freshNumber(), message: `{${name}}` })
    for (const body of [{ host: {} }, { host: 'x' }, { host: null }, {}]) {
      expectError(await post(url, json(body)), 400, 'invalid_request', name)
    }
  }
})

test.each([
  ['no destination', { message: 'x' }, 'invalid_request', 'destination'],
  ['no message', { destination: '+12025550123' }, 'invalid_request', 'message'],
  [
    'an empty message',
    { destination: '+12025550123', message: '' },
    'invalid_parameter',
    'message',
  ],
  ['no number', { destination: 'abc', message: 'x' }, 'invalid_parameter', 'destination'],
  [
    'too long a text',
    { destination: '5551212', message: 'x'.repeat(1601) },
    'invalid_parameter',
    'message',
  ],
])(
  'extension: a secret URL with %s is refused as REST refuses it',
  async (_, fields, code, naming) => {
    const { url } = await make()
    expectError(await get(url, fields), 400, code, naming)
    expectError(await post(url, json(fields)), 400, code, naming)
  },
)

test('extension: a secret URL with a field given twice, or a malformed query, is invalid_request', async () => {
  const { url } = await make()
  for (const query of ['message=a&message=b&destination=5551212', 'message=%zz']) {
    expectError(await request(`${url}?${query}`, 'GET'), 400, 'invalid_request')
  }
  const body = form({ destination: '5551212', message: 'b' })
  expectError(await post(`${url}?message=a`, { body }), 400, 'invalid_request', 'message')
  expectError(await post(url, { body: 'hello' }), 415, 'unsupported_media_type')
})

test('extension: a plus that was not encoded is part of the number', async () => {
  const { url } = await make()
  const number = '+442079460123'
  const reply = await request(`${url}?destination=${number}&message=x`, 'GET')
  expect((await read(at.api, await accepted(reply))).destination).toBe(number)
})

test.each([
  ['name', ''],
  ['name', 'x'.repeat(101)],
  ['destination', 'abc'],
  ['destination', []],
  ['destination', 5],
  ['destination', ['+12025550123', '']],
  ['message', ''],
  ['message', 'a {b'],
  ['message', '}'],
  ['message', '{}'],
  ['message', 'x'.repeat(1601)],
  ['rate', '10'],
  ['rate', '0/h'],
  ['rate', '10/y'],
  ['expires_on', '2001-01-01 00:00:00'],
  ['expires_on', 'tomorrow'],
  ['expires_in', 0],
  ['confirm', 'maybe'],
])('extension: POST /url with %s %j is invalid_parameter', async (name, value) => {
  const before = (await list()).length
  expectError(
    await at.api.call('POST', '/url', json({ [name]: value })),
    400,
    'invalid_parameter',
    name,
  )
  expect(await list()).toHaveLength(before)
})

test('extension: POST /url refuses what contradicts itself', async () => {
  const both = { expires_on: '2090-01-01 00:00:00', expires_in: 60 }
  expectError(await at.api.call('POST', '/url', json(both)), 400, 'invalid_request', 'expires_in')
  const unsaid = { destination: '+12025550123', message: '{destination}' }
  expectError(await at.api.call('POST', '/url', json(unsaid)), 400, 'invalid_parameter', 'message')
})

test('extension: POST /url takes its terms as a form and keeps them', async () => {
  const reply = await at.api.post('/url', {
    ...{ name: 'n', destination: '+12025550123, 5551212', message: '{message}', rate: '5/m' },
    ...{ expires_on: '2090-01-01 00:00:00', confirm: 'true' },
  })
  const { url } = JSON.parse(reply.text)
  expect(await listed(url)).toMatchObject({
    ...{ name: 'n', destination: ['+12025550123', '5551212'], message: '{message}' },
    ...{ rate: '5/min', expires_on: '2090-01-01 00:00:00', confirm: true },
  })
  await at.api.delete(`/url/${url.id}`)
})

test('extension: a secret URL beyond its rate is too_many_requests with Retry-After', async () => {
  const { url } = await make({ destination: freshNumber(), message: 'x', rate: '2/d' })
  for (let n = 0; n < 2; n += 1) await accepted(await get(url))
  const reply = await get(url)
  expectError(reply, 429, 'too_many_requests')
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(80_000)
})

test('extension: a refused request to a secret URL does not count for its rate', async () => {
  const made = await make({ destination: freshNumber(), rate: '1/d' })
  expectError(await get(made.url), 400, 'invalid_request')
  await accepted(await get(made.url, { message: 'x' }))
  expect((await listed(made))?.used_count).toBe(1)
})

test('extension: of many requests at once a rate of one lets one through', async () => {
  const { url } = await make({ destination: freshNumber(), message: 'x', rate: '1/d' })
  const replies = await Promise.all(Array.from({ length: 8 }, () => get(url)))
  expect(replies.map(each => each.status).sort()).toEqual([200, ...Array(7).fill(429)])
})

test.each([
  ['the header Idempotency-Key', { 'idempotency-key': 'k' }, {}],
  ['the parameter key', {}, { key: 'k' }],
])(
  'extension: a secret URL used again with %s sends once, whatever its rate',
  async (_, headers, fields) => {
    const made = await make({ destination: freshNumber(), rate: '1/d' })
    const first = await get(made.url, { message: 'x', ...fields }, headers)
    const again = await get(made.url, { message: 'x', ...fields }, headers)
    expect(await accepted(again)).toBe(await accepted(first))
    expect((await listed(made))?.used_count).toBe(1)
    const other = await get(made.url, { message: 'y', ...fields }, headers)
    expectError(other, 400, 'invalid_request')
  },
)

test('extension: the keys of a secret URL are apart from those of REST and of other URLs', async () => {
  const destination = freshNumber()
  const headers = { 'idempotency-key': freshText() }
  const body = form({ message: { destination, message: 'x' } })
  const api = (await at.api.call('POST', '/message', { headers, body })).body.message.id
  const urls = [await make(), await make()]
  const replies = urls.map(async ({ url }) =>
    accepted(await get(url, { destination, message: 'x' }, headers)),
  )
  expect(new Set([api, ...(await Promise.all(replies))]).size).toBe(3)
})

test.each(['HEAD', 'OPTIONS'])('extension: %s of a secret URL sends nothing', async method => {
  const made = await make({ destination: freshNumber(), message: freshText() })
  const before = await listedIds(at.api)
  const reply = await request(made.url, method)
  expect(reply.status).toBeLessThan(300)
  expect(reply.text).toBe('')
  expectPrivate(reply)
  expect(await listedIds(at.api)).toEqual(before)
  expect((await listed(made))?.used_count).toBe(0)
})

test.each([
  ['sec-purpose', 'prefetch'],
  ['sec-purpose', 'prefetch;prerender'],
  ['purpose', 'prefetch'],
  ['x-purpose', 'preview'],
  ['x-moz', 'prefetch'],
])('extension: GET of a secret URL with %s: %s sends nothing', async (name, value) => {
  const made = await make({ destination: freshNumber(), message: 'x' })
  const reply = await get(made.url, {}, { [name]: value })
  expectError(reply, 503, 'unavailable')
  expectPrivate(reply)
  expect((await listed(made))?.used_count).toBe(0)
})

test('extension: with confirm GET shows a form, and only its POST sends, once', async () => {
  const made = await make({ confirm: true })
  const text = `"><script>alert(1)</script>&'${freshText()}`
  const page = await get(made.url, { destination: '5551212', message: text })
  expect(page.headers.get('content-type')).toMatch(/^text\/html\b/)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expectPrivate(page)
  expect(page.text).not.toContain('<script')
  expect(page.text).not.toContain(made.url.split('/').at(-1))
  expect((await listed(made))?.used_count).toBe(0)
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(page.text) ?? []
  const send = () =>
    request(new URL(action, made.url).href, 'POST', {
      body: form({ destination: '5551212', message: text }),
    })
  expect(await accepted(await send())).toBe(await accepted(await send()))
  expect((await listed(made))?.used_count).toBe(1)
})

test('extension: with confirm GET by who takes no page is method_not_allowed', async () => {
  const { url } = await make({ confirm: true })
  const reply = await get(url, {}, { accept: 'application/json' })
  expectError(reply, 405, 'method_not_allowed')
  expect(reply.headers.get('allow')).toBe('POST')
})

test('extension: a browser is answered with a page', async () => {
  const { url } = await make({ destination: freshNumber(), message: 'x' })
  const reply = await get(url, {}, { accept: 'text/html,*/*;q=0.8' })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.headers.get('content-type')).toMatch(/^text\/html\b/)
  expectPrivate(reply)
})

test('extension: a secret URL obeys the Do Not Text List', async () => {
  const destination = freshNumber()
  await block(at.api, destination)
  const reply = await get((await make()).url, { destination, message: 'x' })
  const message = await read(at.api, await accepted(reply))
  expect(message).toMatchObject({ status: 'B', source: 'url' })
})
