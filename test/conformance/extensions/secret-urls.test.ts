import { expect, test } from 'vitest'
import { freshNumber, freshText, read } from '../acts.js'
import { expectError, type Fields, form, json, multipart, request } from '../calls.js'
import { useSecretUrls } from './extension-rigs.js'

const { at, make, list, listed, get, post, accepted, expectPrivate } = useSecretUrls()

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

test('extension: a secret URL is shown once and has at least 128 random bits', async () => {
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

test('extension: the list of secret URLs has their use counts', async () => {
  const made = await make({ message: 'ring', destination: freshNumber() })
  expect(made.last_used_on).toBeNull()
  for (let n = 0; n < 2; n += 1) await accepted(await get(made.url))
  const { used_count, last_used_on } = (await listed(made)) ?? {}
  expect(used_count).toBe(2)
  expect(last_used_on).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
})

test('extension: a token of the application key cannot manage secret URLs', async () => {
  const made = await make({}, at.person)
  expect((await list(at.person)).map(each => each.id)).toContain(made.id)
  expectError(await at.phone.get('/url'), 403, 'insufficient_scope')
  expectError(await at.phone.call('POST', '/url', json({})), 403, 'insufficient_scope')
  expectError(await at.phone.delete(`/url/${made.id}`), 403, 'insufficient_scope')
})

test('extension: secret URLs of other accounts cannot be listed or revoked', async () => {
  const made = await make()
  expect((await list(at.stranger)).map(each => each.id)).not.toContain(made.id)
  expectError(await at.stranger.delete(`/url/${made.id}`), 404, 'not_found')
  expect(await listed(made)).toBeDefined()
})

test('extension: a revoked secret URL gets the same error as an unknown one', async () => {
  const made = await make({ message: 'x', destination: freshNumber() })
  const deleted = await at.api.delete(`/url/${made.id}`)
  expect(JSON.parse(deleted.text)).toEqual({ url: { id: made.id } })
  const [gone, never] = [await get(made.url), await get(`${at.baseUrl}/u/sru_never`)]
  expectError(gone, 404, 'not_found')
  const same = { ...JSON.parse(gone.text), request_id: expect.any(String) }
  expect({ status: never.status, body: JSON.parse(never.text) }).toEqual({
    status: 404,
    body: same,
  })
  expectPrivate(gone)
  expectError(await at.api.delete(`/url/${made.id}`), 404, 'not_found')
})

test('extension: a secret URL with a destination rejects another one', async () => {
  const destination = freshNumber()
  const { url } = await make({ destination })
  const message = await read(at.api, await accepted(await get(url, { message: 'x' })))
  expect(message.destination).toBe(destination)
  const other = await get(url, { message: 'x', destination: freshNumber() })
  expectError(other, 400, 'invalid_parameter', 'destination')
})

test('extension: the reply of a secret URL does not show its destination and text', async () => {
  const [destination, message] = [freshNumber(), freshText()]
  const reply = await get((await make({ destination, message })).url)
  await accepted(reply)
  expect(reply.text).not.toContain(destination)
  expect(reply.text).not.toContain(message)
})

test('extension: each different number in a list of destinations gets one message', async () => {
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
  async (text, fields, expected) => {
    const { url } = await make({ destination: freshNumber(), message: text })
    expect(await read(at.api, await accepted(await get(url, fields)))).toMatchObject({
      message: expected,
    })
  },
)

test('extension: a template can use nested JSON fields', async () => {
  const message = '{alert.name} {alert.values.0} {ok} {a.b}'
  const { url } = await make({ destination: freshNumber(), message })
  const body = { alert: { name: 'disk', values: [95] }, ok: false, 'a.b': 'flat', a: { b: 1 } }
  const { message: text } = await read(at.api, await accepted(await post(url, json(body))))
  expect(text).toBe('disk 95 false flat')
})

test.each([
  ['no field', {}, 'invalid_request', 'host'],
  ['null', { host: null }, 'invalid_request', 'host'],
  ['an empty text', { host: '' }, 'invalid_request', 'host'],
  ['an object', { host: {} }, 'invalid_parameter', 'host'],
  ['a field of the prototype', { toString: 1 }, 'invalid_request', 'host'],
  ['NUL', { host: 'a\0b' }, 'invalid_parameter', 'message'],
])('extension: a template with %s for its field is rejected', async (_, body, code, naming) => {
  const { url } = await make({ destination: freshNumber(), message: '{host}' })
  expectError(await post(url, json(body)), 400, code, naming)
})

test('extension: a template can use only fields of the request', async () => {
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
])('extension: a secret URL with %s is rejected like in REST', async (_, fields, code, naming) => {
  const { url } = await make()
  expectError(await get(url, fields), 400, code, naming)
  expectError(await post(url, json(fields)), 400, code, naming)
})

test('extension: a repeated field is invalid_request', async () => {
  const { url } = await make()
  const repeated = 'message=a&message=b&destination=5551212'
  expectError(await request(`${url}?${repeated}`, 'GET'), 400, 'invalid_request', 'message')
  const body = form({ destination: '5551212', message: 'b' })
  expectError(await post(`${url}?message=a`, { body }), 400, 'invalid_request', 'message')
  const json = '{"a":{"status":"up","status":"down"},"destination":"5551212","message":"x"}'
  expectError(await post(url, { body: json }), 400, 'invalid_request', 'status')
})

const formType = 'application/x-www-form-urlencoded'
const sns = JSON.stringify({ Subject: 'ALARM', Message: JSON.stringify({ state: 'on +1 %' }) })

test.each<[string, string | undefined, string, string, string]>([
  ['text/plain; charset=UTF-8', '{Subject}: {Message.state}', sns, 'ALARM: on +1 %', ''],
  ['application/cloudevents+json', '{Subject}', sns, 'ALARM', ''],
  ['application/json; charset=iso-8859-1', '{a}', '{"a":"Grüße"}', 'Grüße', ''],
  ['text/json', '{Subject}', sns, 'ALARM', ''],
  ['', '{Subject}', sns, 'ALARM', ''],
  ['application/octet-stream', '{Subject}', sns, 'ALARM', ''],
  [formType, '{Subject}: {Message.state}', sns, 'ALARM: on +1 %', ''],
  [formType, '{a}', encodeURIComponent('{"a":"5 + 3"}'), '5 + 3', ''],
  [formType, '{data.msg}', `data=${encodeURIComponent('{"msg":"[web] down"}')}`, '[web] down', ''],
  [formType, '{payload.a.0}', 'payload={"a":["x y"]}', 'x y', ''],
  [formType, undefined, 'Backup failed', 'Backup failed', ''],
  [formType, undefined, 'a=b: 95%\n& 5 + 3\n', 'a=b: 95%\n& 5 + 3', ''],
  [formType, undefined, 'Backup+failed%21', 'Backup failed!', ''],
  [formType, '{message} on {host}', 'host=db1&message=95% & more', '95%  on db1', ''],
  [formType, undefined, 'ignored', 'query', 'message=query'],
  [formType, undefined, 'unknown=field', 'query', 'message=query'],
  ['text/plain', undefined, 'message=x', 'message=x', ''],
  ['text/plain; charset=iso-8859-1', '{message}!', 'Backup failed', 'Backup failed!', ''],
  ['', undefined, 'Grüße\r\nAnn', 'Grüße\nAnn', ''],
  ['', undefined, 'message=from+a+device', 'from a device', ''],
])('extension: a body of the type %j fills %j: %s', async (type, message, body, text, query) => {
  const { url } = await make({ destination: freshNumber(), ...(message && { message }) })
  const headers = { 'content-type': type }
  const reply = await post(`${url}?${query}`, { headers, body })
  expect((await read(at.api, await accepted(reply))).message).toBe(text)
})

test.each<[string, string, string | Uint8Array<ArrayBuffer>, number, string]>([
  ['JSON without a text', 'application/json', sns, 400, '{title}'],
  ['malformed JSON', 'application/json', '{"message":"x"', 400, 'JSON'],
  ['a form of other fields', formType, 'a=1&b=2', 400, '`message`'],
  ['a blank body', 'text/plain', ' \n', 400, '`message`'],
  ['a text in Latin-1', 'text/plain', Buffer.from('Gr\xfc\xdfe', 'latin1'), 400, 'UTF-8'],
  ['its charset', 'text/plain; charset=iso-8859-1', 'Grüße', 415, 'iso-8859-1'],
  ['a picture', 'image/png', Buffer.from([0xff, 0xd8]), 415, 'Content-Type'],
  ['an encoded text in Latin-1', formType, 'message=Gr%FC%DFe', 400, 'UTF-8'],
])('extension: %s as %s is an error', async (_, type, body, status, naming) => {
  const made = await make({ destination: freshNumber() })
  const reply = await post(made.url, { headers: { 'content-type': type }, body })
  expectError(reply, status, reply.body.error, naming)
  expect((await listed(made))?.used_count).toBe(0)
})

test('extension: fields that are missing in a template are warnings', async () => {
  const message = '{status} {labels.name}: {summary|text|"no summary"}{note|url}'
  const { url } = await make({ destination: freshNumber(), message })
  const reply = await post(url, json({ status: 'firing', text: 'full', note: null }))
  expect((await read(at.api, await accepted(reply))).message).toBe('firing : full')
  expect(JSON.parse(reply.text).warnings).toEqual(
    ['labels.name', 'note', 'url'].map(name => expect.stringContaining(`\`${name}\``)),
  )
  const other = await get(url, { 'labels.name': 'disk', status: 'up', note: '-' })
  expect((await read(at.api, await accepted(other))).message).toBe('up disk: no summary-')
  expect(JSON.parse(other.text).warnings).toBeUndefined()
})

test.each([
  [{ max_length: 10 }, 'Disk of db1 is full', 'Disk of...'],
  [{ max_length: 4 }, '😀😀😀😀', '😀😀😀😀'],
  [{}, 'x'.repeat(1601), `${'x'.repeat(1597)}...`],
])('extension: with %j a text is cut', async (terms, message, text) => {
  const made = await make({ destination: freshNumber(), ...terms })
  expect(await listed(made)).toMatchObject({ max_length: 1600, ...terms })
  const reply = await get(made.url, { message })
  expect((await read(at.api, await accepted(reply))).message).toBe(text)
  const warnings = text === message ? undefined : [expect.stringContaining('cut')]
  expect(JSON.parse(reply.text).warnings).toEqual(warnings)
})

test.each([
  ['Disk+95%', 'Disk 95%'],
  ['Humidity%2080%+rising', 'Humidity 80% rising'],
  ['5%zz%2', '5%zz%2'],
])('extension: the query message=%s is %s', async (query, text) => {
  const { url } = await make({ destination: freshNumber() })
  const reply = await request(`${url}?message=${query}`, 'GET')
  expect((await read(at.api, await accepted(reply))).message).toBe(text)
})

test('extension: an unencoded plus sign is part of the number', async () => {
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
  ['max_length', 0],
  ['max_length', 1601],
  ['message', '{a|"b}'],
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

test('extension: POST /url rejects contradictory fields', async () => {
  const both = { expires_on: '2090-01-01 00:00:00', expires_in: 60 }
  expectError(await at.api.call('POST', '/url', json(both)), 400, 'invalid_request', 'expires_in')
  const unsaid = { destination: '+12025550123', message: '{destination}' }
  expectError(await at.api.call('POST', '/url', json(unsaid)), 400, 'invalid_parameter', 'message')
})

test('extension: POST /url accepts a form and stores its fields', async () => {
  const reply = await at.api.post('/url', {
    ...{ name: 'n', destination: '+12025550123, 5551212', message: '{message}', rate: '5/m' },
    ...{ expires_on: '2090-01-01 00:00:00', confirm: 'true', max_length: '70' },
  })
  const { url } = JSON.parse(reply.text)
  expect(await listed(url)).toMatchObject({
    ...{ name: 'n', destination: ['+12025550123', '5551212'], message: '{message}' },
    ...{ rate: '5/min', expires_on: '2090-01-01 00:00:00', confirm: true, max_length: 70 },
  })
  await at.api.delete(`/url/${url.id}`)
})
