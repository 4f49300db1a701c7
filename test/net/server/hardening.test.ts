import { once } from 'node:events'
import type { Socket } from 'node:net'
import express from 'express'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectionLimits } from '../../../src/domain/limits.js'
import type { NewAccount, Relay, RelaySettings } from '../../../src/index.js'
import { getAddressBlock, parseForwardedAddress } from '../../../src/net/ip-address.js'
import { close, createHttpServer, listen } from '../../../src/net/server/http-server.js'
import type { RelayOverrides } from '../../../src/server/open-relay.js'
import { defaultPasswordCost } from '../../../src/util/crypto/password-hash.js'
import { temporaryFolder } from '../../commands/harness.js'
import { basic, callerFor, request } from '../../conformance/calls.js'
import { createRelay } from '../../quick-relay.js'
import { open } from '../../server/http/app-rig.js'

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
    const { write, closed, received } = await open(port)
    if (bytes !== '') await write(bytes)
    await closed
    expect(received()).toMatch(/^HTTP\/1\.1 408 |^$/)
  })

  test.each([
    ['a head', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['a head with an unknown method', 'NEXT /'],
  ])('that sends %s byte by byte', async (_, bytes) => {
    const { port } = await start({ limits: short })
    const { socket, write, closed } = await open(port)
    await write(bytes)
    await drip(socket, closed)
  })

  test.each([
    ['a counted body', { 'Content-Length': '100000' }, ''],
    ['a chunked body', { 'Transfer-Encoding': 'chunked' }, '186a0\r\n'],
  ])('that sends %s byte by byte', async (_, fields, begin) => {
    const { port } = await start({ limits: short })
    const { socket, write, closed } = await open(port)
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    await write(head('POST /oauth/revoke', { ...type, ...fields }) + begin)
    await drip(socket, closed)
  })

  test('that keeps a connection and asks nothing', async () => {
    const { port } = await start({ limits: short })
    const { write, closed, replies } = await open(port)
    await write(head('GET /nothing'))
    expect(await replies(1)).toHaveLength(1)
    await closed
  })

  test('that does not read its reply', async () => {
    const { server, port } = await serveBytes(64 * 1024 * 1024)
    const connected = once(server, 'connection')
    const { socket, write } = await open(port)
    socket.pause()
    const [theirs] = (await connected) as [Socket]
    const closed = once(theirs, 'close')
    await write(head('GET /'))
    await closed
    expect(server.responses.size).toBe(0)
  })

  test('but one that reads a long reply slowly and steadily is not, while it is faster than the limit', async () => {
    const { port } = await serveBytes(1024 * 1024)
    const { write, replies } = await open(port)
    await write(head('GET /'))
    const [reply = ''] = await replies(1)
    expect(reply.length).toBeGreaterThan(1024 * 1024)
  })
})

describe('a patient phone is not', () => {
  test('a NEXT that waits for longer than every limit is answered, on the same connection, again', async () => {
    const { relay, account, port } = await start({ limits: short })
    const api = await callerFor(relay.url, account.secret_key, account.api_key)
    const phone = await callerFor(relay.url, account.secret_key, account.app_key)
    const fields = { Authorization: `Bearer ${phone.token}`, Prefer: 'wait=1' }
    const { write, replies } = await open(port)
    await write(head('NEXT /api/1/message', fields))
    const [empty] = await replies(1)
    expect(empty).toContain('HTTP/1.1 404')
    await write(head('NEXT /api/1/message', fields))
    await api.post('/message', { message: { destination: '+12025550123', message: 'late' } })
    const [, full] = await replies(2)
    expect(full).toContain('late')
  })

  test('the default limits are longer than the longest wait only where they would end one', async () => {
    const { server } = await serveBytes(1)
    expect({
      headersTimeout: server.headersTimeout,
      requestTimeout: server.requestTimeout,
      keepAliveTimeout: server.keepAliveTimeout,
      timeout: server.timeout,
    }).toEqual({
      headersTimeout: short.headTimeout,
      requestTimeout: short.requestTimeout,
      keepAliveTimeout: short.idleTimeout,
      // Silence of a socket with a request in hand ends nothing: that is a NEXT that waits.
      timeout: 0,
    })
  })
})

describe('a client that wants too much', () => {
  test('gets no connection beyond the limit, and one again when another ends', async () => {
    const { port } = await start({ limits: { connections: 2 } })
    const [first, second] = [await open(port), await open(port)]
    await first.write(head('GET /'))
    await second.write(head('GET /'))
    await Promise.all([first.replies(1), second.replies(1)])
    const third = await open(port)
    await third.closed
    expect(third.received()).toBe('')
    const gone = first.closed
    first.socket.end()
    await gone
    await expect
      .poll(async () => {
        const again = await open(port)
        await again.write(head('GET /'))
        return (await again.replies(1)).length
      })
      .toBe(1)
  })

  test('gets 429 for the request too many in hand on a connection, which ends, and no later one is done', async () => {
    const { relay, account, port } = await start({ limits: { pipelined: 3 } })
    const phone = await callerFor(relay.url, account.secret_key, account.app_key)
    const api = await callerFor(relay.url, account.secret_key, account.api_key)
    const next = head('NEXT /api/1/message', {
      Authorization: `Bearer ${phone.token}`,
      Prefer: 'wait=1',
    })
    const body = 'message={"destination":"%2B12025550123","message":"never"}'
    const create = head('POST /api/1/message', {
      Authorization: `Bearer ${api.token}`,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(body.length),
    })
    const { write, closed, received } = await open(port)
    await write(next.repeat(4) + create + body)
    await closed
    const replies = received().split(/(?=HTTP\/1\.1 \d{3} )/)
    expect(replies.map(reply => reply.slice(9, 12))).toEqual(['404', '404', '404', '429'])
    expect(replies[3]).toMatch(/retry-after: 1\r\n/i)
    expect(replies[3]).toContain('"error":"too_many_requests"')
    expect((await api.get('/message')).body.messages).toEqual([])
  })

  test('may have as many requests in hand as the limit, over and over', async () => {
    const { port } = await start({ limits: { pipelined: 3 } })
    const { write, replies } = await open(port)
    for (let n = 1; n <= 5; n += 1) {
      await write(head('GET /nothing').repeat(3))
      expect(await replies(3 * n)).toHaveLength(3 * n)
    }
  })

  test('gets 431 for a head that is too long', async () => {
    const { port } = await start()
    const { write, closed, received } = await open(port)
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
    const { relay, account } = await start({}, { now: () => clock.now })
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
    const user = await callerFor(relay.url, account.email, account.password)
    expect((await user.get('/user/app')).headers.get('cache-control')).toBe('no-store')
  })

  test('leaves tokens that were issued before alone', async () => {
    const { relay, account } = await start()
    const api = await callerFor(relay.url, account.secret_key, account.api_key)
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
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['', ''],
])('the address %s is counted as %s', (address, block) => {
  expect(getAddressBlock(address)).toBe(block)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  [' 192.0.2.1:443 ', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['unknown', undefined],
  ['_hidden', undefined],
  ['', undefined],
])('the entry %j of X-Forwarded-For names %s', (entry, address) => {
  expect(parseForwardedAddress(entry)).toBe(address)
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
  const app = express()
  const body = Buffer.alloc(size, 'x')
  app.use((_request, response) => {
    response.setHeader('Content-Length', size)
    response.end(body)
  })
  const server = createHttpServer(app, { ...connectionLimits, ...short })
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(async () => await close(server, 0))
  return { server, port }
}
