import { beforeEach, expect, test } from 'vitest'
import { createDue, drain, read, succeed } from '../acts.js'
import { expectError, useCallers } from '../calls.js'
import { exchange, lastReply, statuses } from '../raw.js'

const at = useCallers()

beforeEach(() => drain(at.phone))

/** Formats a request; the last one of a connection closes it. */
function wire(method: string, path: string, last = true, body = ''): string {
  const { host } = new URL(at.baseUrl)
  const head = [
    `${method} ${at.basePath}/api/1${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${at.phone.token}`,
    `Connection: ${last ? 'close' : 'keep-alive'}`,
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

test('4.2 NEXT as plain bytes is answered', async () => {
  const { id } = await createDue(at.api)
  const reply = lastReply(await exchange(at.baseUrl, [wire('NEXT', '/message')]))
  expect(reply.status).toBe(200)
  expect(reply.body.message.id).toBe(id)
})

test('4.2 NEXT sent byte by byte is answered', async () => {
  const { id } = await createDue(at.api)
  const reply = lastReply(await exchange(at.baseUrl, wire('NEXT', '/message')))
  expect(reply.body.message.id).toBe(id)
})

test('4.2 NEXT after GET on a kept connection is answered', async () => {
  const { id } = await createDue(at.api)
  const bytes = wire('GET', `/message/${id}`, false) + wire('NEXT', '/message')
  const text = await exchange(at.baseUrl, [bytes])
  expect(statuses(text)).toEqual([200, 200])
  expect(lastReply(text).body.message.id).toBe(id)
})

test('4.2 NEXT among pipelined requests is answered in order', async () => {
  const { id } = await createDue(at.api)
  const bytes = [
    wire('NEXT', '/message', false),
    wire('PUT', `/message/${id}/success`, false, '{"parts":0}'),
    wire('NEXT', '/message', false),
    wire('NEXTT', '/message', false),
    wire('GET', '/message/next'),
  ].join('')
  const text = await exchange(at.baseUrl, [bytes])
  expect(statuses(text)).toEqual([200, 400, 200, 405, 200])
  expect(lastReply(text).body.message.id).toBe(id)
})

test('4.2 NEXT with a body is answered', async () => {
  const { id } = await createDue(at.api)
  const bytes = wire('NEXT', '/message', false, '{}') + wire('GET', `/message/${id}`)
  expect(statuses(await exchange(at.baseUrl, [bytes]))).toEqual([200, 200])
})

test('4.2 a request line inside a body is not a request', async () => {
  const { id } = await createDue(at.api)
  const body = JSON.stringify({ error_message: wire('NEXT', '/message') })
  const text = await exchange(at.baseUrl, [wire('PUT', `/message/${id}/failure`, true, body)])
  expect(statuses(text)).toEqual([200])
  expect((await read(at.api, id)).failure_count).toBe(1)
})

test.each(['next', 'Next', 'NEXTT', 'NEX', 'BREW'])(
  '4.2 the method %s is not NEXT and is method_not_allowed',
  async method => {
    const { id } = await createDue(at.api)
    const reply = lastReply(await exchange(at.baseUrl, [wire(method, '/message')]))
    expectError(reply, 405, 'method_not_allowed')
    expect(reply.headers.get('allow')?.split(/, */)).toContain('NEXT')
    await succeed(at.api, id)
  },
)

test('4.2 a header field with a method does not turn GET into NEXT', async () => {
  await createDue(at.api)
  const headers = { 'x-http-method-override': 'NEXT', 'x-method': 'NEXT' }
  const reply = await at.api.call('GET', '/message', { headers })
  expect(reply.status).toBe(200)
  expect(Array.isArray(reply.body.messages)).toBe(true)
})

test('4.2 NEXT on the path of one message is method_not_allowed', async () => {
  const { id } = await createDue(at.api)
  expectError(await at.api.call('NEXT', `/message/${id}`), 405, 'method_not_allowed')
})
