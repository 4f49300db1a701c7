import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, onTestFinished, test } from 'vitest'
import { basic, form, json, request } from '../../conformance/calls.js'
import { openConnection } from '../../net/server/client-connection.js'
import { exchange, formatRequest } from '../../net/server/test-server.js'
import { runRelay } from '../running-relay.js'
import { recordLog } from './recorded-log.js'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const missing = '01890000-0000-7000-8000-000000000000'
const own = /^[\da-f]{10}-[\da-z]+$/

async function start(settings: object = {}) {
  const log = recordLog()
  const running = await runRelay(settings, { log })
  onTestFinished(async () => await running.relay.stop())
  log.events.length = 0
  const port = Number(new URL(running.relay.url).port)
  return { ...running, ...log, port }
}

describe('X-Request-Id', () => {
  test.each(['a', 'A.b_c-9', 'x'.repeat(64)])('%s of the request is in reply and log', async id => {
    const { api, events } = await start()
    const reply = await api.call('GET', '/user', { headers: { 'x-request-id': id } })
    expect(reply.headers.get('x-request-id')).toBe(id)
    expect(events).toMatchObject([{ event: 'request', request: id }])
  })

  test.each(['', 'x'.repeat(65), 'a b', 'a,b', 'é'])('%j is replaced by a new one', async id => {
    const { api } = await start()
    const ids = [
      await api.call('GET', '/user', { headers: { 'x-request-id': id } }),
      await api.get('/user'),
    ].map(reply => reply.headers.get('x-request-id'))
    expect(ids).toEqual([expect.stringMatching(own), expect.stringMatching(own)])
    expect(new Set(ids).size).toBe(2)
  })

  test('is in the body of every error of the interface', async () => {
    const { relay, api, phone } = await start()
    const replies = [
      await api.get(`/message/${missing}`),
      await api.post('/message', { message: { destination: 'abc', message: 'hi' } }),
      await api.call('POST', '/message', { body: '{', headers: json({}).headers }),
      await api.call('HELLO', '/message'),
      await api.get('/nowhere'),
      await phone.next(),
      await phone.get('/user/app'),
      await request(`${relay.url}/oauth`, 'GET', { headers: { authorization: basic('a', 'b') } }),
      await request(`${relay.url}/u/nothing`, 'GET'),
      await request(`${relay.url}/api/1/message/%`, 'GET'),
    ]
    for (const { status, headers, body } of replies) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(headers.get('x-request-id')).toMatch(own)
      expect(body).toHaveProperty('request_id', headers.get('x-request-id'))
    }
  })

  test('is in each failed item of a batch', async () => {
    const { api } = await start()
    const messages = [{ destination: '+12025550143', message: 'hi' }, { destination: 'x' }]
    const created = await api.call('POST', '/message/batch', json({ messages }))
    const outcomes = [{ id: missing, parts: 1 }]
    const reported = await api.call('POST', '/message/report', json({ outcomes }))
    const id = created.headers.get('x-request-id')
    expect(JSON.parse(created.text).results).toEqual([
      expect.not.objectContaining({ request_id: id }),
      expect.objectContaining({ error: 'invalid_request', request_id: id }),
    ])
    const other = reported.headers.get('x-request-id')
    expect(JSON.parse(reported.text).results).toMatchObject([{ request_id: other }])
  })

  test.each<[string, string, number, string]>([
    ['a malformed request line', 'GET\r\n\r\n', 400, 'invalid_request'],
    [
      'a malformed field',
      'GET / HTTP/1.1\r\nHost: localhost\r\nna me: x\r\n\r\n',
      400,
      'invalid_request',
    ],
    [
      'a broken body',
      'POST /api/1/message HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n',
      401,
      'invalid_token',
    ],
    ['an unknown version', 'GET / HTTP/2.0\r\n\r\n', 505, 'invalid_request'],
  ])('of %s is in the reply, its JSON body and the log', async (_, bytes, status, error) => {
    const { port, events } = await start()
    const reply = await exchange(port, bytes)
    const id = /\r\nX-Request-Id: (\S+)\r\n/.exec(reply)?.[1]
    expect(id).toMatch(own)
    const body = JSON.parse(reply.split('\r\n\r\n')[1] ?? '')
    expect(body).toEqual({ error, error_description: expect.any(String), request_id: id })
    expect(events).toMatchObject([{ request: id, status, error: { code: error } }])
  })

  test('of a connection beyond the limit is in the reply, its body and the log', async () => {
    const { port, events } = await start({ limits: { connectionsPerAddress: 5 } })
    const all = await Promise.all(Array.from({ length: 6 }, () => openConnection(port)))
    const [reply = ''] = await Promise.race(all.map(({ replies }) => replies(1)))
    const id = /\r\nX-Request-Id: (\S+)\r\n/.exec(reply)?.[1]
    const body = JSON.parse(reply.split('\r\n\r\n')[1] ?? '')
    expect(body).toMatchObject({ error: 'unavailable', request_id: id })
    expect(events).toContainEqual(
      expect.objectContaining({ level: 'warn', request: id, status: 503 }),
    )
  })

  test('of two pipelined requests differ', async () => {
    const { port, api } = await start()
    const head = formatRequest('GET /api/1/user', { Authorization: `Bearer ${api.token}` })
    const last = formatRequest('GET /api/1/user', {
      Authorization: `Bearer ${api.token}`,
      ...{ Connection: 'close', 'X-Request-Id': 'second' },
    })
    const received = await exchange(port, head + last)
    const ids = [...received.matchAll(/\r\nX-Request-Id: (\S+)\r\n/g)].map(match => match[1])
    expect(ids).toEqual([expect.stringMatching(own), 'second'])
  })
})

describe('the log of requests', () => {
  test('has template, account, message, address and duration, and no query', async () => {
    const { api, account, events } = await start()
    const made = await api.post('/message', { message: { destination: '5551212', message: 'hi' } })
    const { id } = made.body.message
    await api.call('GET', `/message/${id}?secret=1`, {
      headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    })
    expect(events[1]).toEqual({
      ...{ level: 'debug', event: 'request', msg: 'GET /api/1/message/:id: 200' },
      ...{ request: expect.stringMatching(own), trace_id: trace, remote: '127.0.0.1' },
      ...{ method: 'GET', route: '/api/1/message/:id', status: 200, message: id },
      ...{ account: account.id, ms: expect.any(Number), bytes: expect.any(Number) },
    })
  })

  test('has successes of frequent requests at debug, other requests at info', async () => {
    const { relay, api, phone, events } = await start()
    await phone.next()
    await api.get('/user')
    await api.get(`/message/${missing}`)
    await request(`${relay.url}/login`, 'GET')
    await request(`${relay.url}/login`, 'GET', { headers: { 'x-page-version': 'x' } })
    await request(`${relay.url}/+12025550143`, 'GET')
    expect(events.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      'debug NEXT /api/1/message: 404',
      'info GET /api/1/user: 200',
      'info GET /api/1/message/:id: 404',
      'info GET /login: 200',
      'debug GET /login: 200',
      'info GET unknown path: 404',
    ])
  })

  test('has invalid identifiers and traces, and unknown methods, not as they are', async () => {
    const { relay, api, events } = await start()
    await api.call('GET', '/message/+12025550143', { headers: { traceparent: '00-12025550143' } })
    await request(`${relay.url}/api/1/message`, 'HELLO', { body: form({ a: '1' }) })
    expect(events).toMatchObject([{ method: 'GET' }, { method: 'other' }])
    expect(JSON.stringify(events)).not.toMatch(/12025550143|HELLO/)
  })

  test('takes the address from a trusted proxy only', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.1, 2001:db8::7' }
    for (const [trustProxy, remote] of [
      [true, '2001:db8::7'],
      [false, '127.0.0.1'],
      [2, '198.51.100.1'],
      ['loopback, 2001:db8::/32', '198.51.100.1'],
      ['10.0.0.0/8', '127.0.0.1'],
    ]) {
      const { api, events } = await start({ trustProxy })
      await api.call('GET', '/user', { headers })
      expect(events).toMatchObject([{ remote }])
    }
  })

  test('says when a client left before the reply', async () => {
    const { port, api, events } = await start()
    const fields = { Authorization: `Bearer ${api.token}`, Accept: 'text/event-stream' }
    const { socket, write, received } = await openConnection(port)
    await write(formatRequest('GET /api/1/event', fields))
    await expect.poll(received).toContain(': ok')
    socket.resetAndDestroy()
    await expect.poll(() => events).toHaveLength(1)
    expect(events).toMatchObject([{ status: 200, msg: expect.stringContaining('closed before') }])
  })
})

test('the channel smsrelay:request has the fields of each request', async () => {
  const published: unknown[] = []
  const receive = (fields: unknown) => void published.push(fields)
  const { api, account } = await start()
  subscribe('smsrelay:request', receive)
  onTestFinished(() => void unsubscribe('smsrelay:request', receive))
  await api.get('/user')
  expect(published).toMatchObject([{ method: 'GET', route: '/api/1/user', account: account.id }])
})
