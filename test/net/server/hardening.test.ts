import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { NewAccount, Relay, RelaySettings } from '../../../src/index.js'
import { connectionLimits } from '../../../src/net/server/connection-limits.js'
import type { HttpRequest } from '../../../src/net/server/http-request.js'
import type { HttpResponse } from '../../../src/net/server/http-response.js'
import { HttpServer } from '../../../src/net/server/http-server.js'
import type { RelayOverrides } from '../../../src/server/open-relay.js'
import { defaultPasswordCost } from '../../../src/util/crypto/password-hash.js'
import { basic, request, signInCaller } from '../../conformance/calls.js'
import { createRelay } from '../../quick-relay.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { createClockAt } from '../../util/async/fake-clock.js'
import { openConnection } from './client-connection.js'

/** Waits that a test can sit out. */
const short = { headTimeout: 150, requestTimeout: 300, idleTimeout: 150, replyTimeout: 200 }

interface Started {
  readonly relay: Relay
  readonly account: NewAccount
  readonly port: number
}

async function start(
  settings: Partial<RelaySettings> = {},
  overrides: RelayOverrides = {},
): Promise<Started> {
  const dataDir = await temporaryFolder()
  const relay = await createRelay({ dataDir, port: 0, ...settings }, overrides)
  onTestFinished(async () => await relay.stop())
  await relay.start()
  const account = await relay.administration.createAccount({ email: 'ann@example.com' })
  return { relay, account, port: Number(new URL(relay.url).port) }
}

function head(line: string, fields: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: 'relay', ...fields }).map(
    ([key, value]) => `${key}: ${value}`,
  )
  return [`${line} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/** Sends a byte now and then until the connection is closed. */
async function drip(socket: Socket, closed: Promise<unknown>, every = 20): Promise<void> {
  const timer = setInterval(() => socket.write('x'), every)
  await closed
  clearInterval(timer)
}

describe('a slow client is cut off', () => {
  test.each([
    ['says nothing', ''],
    ['stops in the middle of its head', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['stops in the middle of an unknown method', 'NE'],
    ['stops before the end of an unknown method line', 'NEXT /api/1/message'],
  ])('that %s', async (_, bytes) => {
    const { port } = await start({ limits: short })
    const { write, closed, received } = await openConnection(port)
    if (bytes !== '') await write(bytes)
    await closed
    expect(received()).toMatch(/^HTTP\/1\.1 408 |^$/)
  })

  test.each([
    ['a head', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['a head with an unknown method', 'NEXT /'],
  ])('that sends %s byte by byte', async (_, bytes) => {
    const { port } = await start({ limits: short })
    const { socket, write, closed } = await openConnection(port)
    await write(bytes)
    await drip(socket, closed)
  })

  test.each([
    ['a counted body', { 'Content-Length': '100000' }, ''],
    ['a chunked body', { 'Transfer-Encoding': 'chunked' }, '186a0\r\n'],
  ])('that sends %s byte by byte', async (_, fields, begin) => {
    const { port } = await start({ limits: short })
    const { socket, write, closed } = await openConnection(port)
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    await write(head('POST /oauth/revoke', { ...type, ...fields }) + begin)
    await drip(socket, closed)
  })

  test('that keeps a connection and asks nothing', async () => {
    const { port } = await start({ limits: short })
    const { write, closed, replies } = await openConnection(port)
    await write(head('GET /nothing'))
    expect(await replies(1)).toHaveLength(1)
    await closed
  })

  test('that does not read its reply', async () => {
    const { server, port } = await serveBytes(64 * 1024 * 1024)
    const { socket, write } = await openConnection(port)
    socket.pause()
    await write(head('GET /'))
    await expect.poll(() => server.connections).toBe(1)
    await expect.poll(() => server.connections, { timeout: 5000 }).toBe(0)
  })

  test('but one that reads a long reply slowly and steadily is not, while it is faster than the limit', async () => {
    const { port } = await serveBytes(1024 * 1024)
    const { write, replies } = await openConnection(port)
    await write(head('GET /'))
    const [reply = ''] = await replies(1)
    expect(reply.length).toBeGreaterThan(1024 * 1024)
  })
})

describe('a patient phone is not', () => {
  test('a NEXT that waits for longer than every limit is answered, on the same connection, again', async () => {
    const { relay, account, port } = await start({ limits: short })
    const api = await signInCaller(relay.url, account.secret_key, account.api_key)
    const phone = await signInCaller(relay.url, account.secret_key, account.app_key)
    const fields = { Authorization: `Bearer ${phone.token}`, Prefer: 'wait=1' }
    const { write, replies } = await openConnection(port)
    await write(head('NEXT /api/1/message', fields))
    const [empty] = await replies(1)
    expect(empty).toContain('HTTP/1.1 404')
    await write(head('NEXT /api/1/message', fields))
    await api.post('/message', { message: { destination: '+12025550123', message: 'late' } })
    const [, full] = await replies(2)
    expect(full).toContain('late')
  })
})

describe('a client that wants too much', () => {
  test('gets no connection beyond the limit, and one again when another ends', async () => {
    const { port } = await start({ limits: { connections: 2 } })
    const [first, second] = [await openConnection(port), await openConnection(port)]
    await first.write(head('GET /'))
    await second.write(head('GET /'))
    await Promise.all([first.replies(1), second.replies(1)])
    const third = await openConnection(port)
    await third.closed
    expect(third.received()).toBe('')
    const gone = first.closed
    first.socket.end()
    await gone
    await expect
      .poll(async () => {
        const again = await openConnection(port)
        await again.write(head('GET /'))
        return (await again.replies(1)).length
      })
      .toBe(1)
  })

  test('gets 431 for a head that is too long', async () => {
    const { port } = await start()
    const { write, closed, received } = await openConnection(port)
    await write(head('GET /', { 'X-Long': 'x'.repeat(16 * 1024) }))
    await closed
    expect(received()).toMatch(/^HTTP\/1\.1 431 /)
  })

  test('may send 8 KiB without a token, and gets 413 for more', async () => {
    const { relay } = await start()
    const revoke = (size: number) =>
      request(`${relay.url}/oauth/revoke`, 'POST', {
        body: new URLSearchParams({ token: 'x'.repeat(size - 'token='.length) }),
      })
    expect((await revoke(8192)).status).toBe(200)
    expect((await revoke(8193)).status).toBe(413)
  })
})

describe('guessing at /oauth', () => {
  test('is 429 with Retry-After after ten failures, for the right key too, until the time is over', async () => {
    const clock = { now: Date.UTC(2030, 0, 1) }
    const { relay, account } = await start({}, { clock: createClockAt(() => clock.now) })
    const { secret_key: name, api_key: key } = account
    for (let n = 0; n < 10; n += 1) expect((await signIn(relay, name, 'guess')).status).toBe(401)
    const refused = await signIn(relay, name, key)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.body.error).toBe('too_many_requests')
    clock.now += 1000
    const issued = await signIn(relay, name, key)
    expect(issued.status).toBe(200)
    expect(issued.headers.get('cache-control')).toBe('no-store')
  })

  test('replies with keys are kept out of caches', async () => {
    const { relay, account } = await start()
    const user = await signInCaller(relay.url, account.email, account.password)
    expect((await user.get('/user/app')).headers.get('cache-control')).toBe('no-store')
  })

  test('leaves tokens that were issued before alone', async () => {
    const { relay, account } = await start()
    const api = await signInCaller(relay.url, account.secret_key, account.api_key)
    for (let n = 0; n < 12; n += 1) await signIn(relay, account.secret_key, 'guess')
    expect((await api.get('/user')).status).toBe(200)
  })

  test('counts a made-up X-Forwarded-For for nothing, and says once that a proxy seems to be there', async () => {
    const told: string[] = []
    const { relay, account } = await start({}, { warn: sentence => told.push(sentence) })
    const statuses: number[] = []
    for (let n = 0; n < 11; n += 1) {
      statuses.push((await signIn(relay, account.secret_key, 'guess', `192.0.2.${n}`)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    expect(told.filter(sentence => sentence.includes('--trust-proxy'))).toHaveLength(1)
  })

  test('behind a trusted proxy counts what the proxy added, not what the client made up before it', async () => {
    const { relay, account } = await start({ trustProxy: true })
    const { secret_key: name, api_key: key } = account
    for (let n = 0; n < 10; n += 1) {
      const status = (await signIn(relay, name, 'guess', `192.0.2.${n}, 198.51.100.7`)).status
      expect(status).toBe(401)
    }
    expect((await signIn(relay, name, key, '192.0.2.77, 198.51.100.7')).status).toBe(429)
    expect((await signIn(relay, name, key, '198.51.100.7, 192.0.2.77')).status).toBe(200)
  })

  test('with passwords never has more than a few checked at once', async () => {
    const { relay, account } = await start(
      { trustProxy: true },
      { passwordCost: defaultPasswordCost },
    )
    const tries = Array.from({ length: 60 }, (_, n) =>
      signIn(relay, account.email, 'wrong horse', `192.0.2.${n}`),
    )
    const replies = await Promise.all(tries)
    const count = (status: number) => replies.filter(reply => reply.status === status).length
    expect(count(401) + count(503)).toBe(60)
    expect(count(401)).toBeGreaterThanOrEqual(18)
    expect(count(503)).toBeGreaterThan(0)
    const busy = replies.find(reply => reply.status === 503)
    expect(busy?.headers.get('retry-after')).toBe('1')
    expect(busy?.body.error).toBe('unavailable')
    expect((await signIn(relay, account.email, account.password, '192.0.2.99')).status).toBe(200)
  })
})

test.each([
  { limits: { headTimeout: 0 } },
  { limits: { requestTimeout: 1.5 } },
  { limits: { headTimeout: 2000, requestTimeout: 1000 } },
])('the settings %j are refused', async settings => {
  const dataDir = await temporaryFolder()
  await expect(createRelay({ dataDir, ...settings })).rejects.toMatchObject({ code: 'usage' })
})

function signIn(relay: Relay, name: string, password: string, forwarded?: string) {
  const proxied = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const headers = { authorization: basic(name, password), ...proxied }
  return request(`${relay.url}/oauth`, 'GET', { headers })
}

/** A server with the short limits that answers every request with so many bytes. */
async function serveBytes(size: number) {
  const body = Buffer.alloc(size, 'x')
  const handler = (_request: HttpRequest, response: HttpResponse) => response.send(200, {}, body)
  const server = new HttpServer(handler, { ...connectionLimits, ...short })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => await server.close(0))
  return { server, port }
}
