import { createHmac } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createWebhookRequest } from '../../../../src/contract/webhook/webhook-request.js'
import {
  createWebhookSender,
  type DeliveryResult,
  type WebhookSenderOptions,
} from '../../../../src/server/webhooks/webhook-sender.js'
import { createClock } from '../../../../src/util/async/clock.js'
import { FakeClock } from '../../../util/async/fake-clock.js'
import { freePort, ok, openSink, type Reaction, reply } from '../sink.js'

const never = new AbortController().signal

interface Target {
  url: string
  method?: string
  post?: boolean
}

function openSender(options: Partial<WebhookSenderOptions> = {}) {
  const sender = createWebhookSender({ clock: createClock(), ...options })
  onTestFinished(() => sender.close())
  return (
    { url, method = 'POST', post = false }: Target,
    signal = never,
  ): Promise<DeliveryResult> =>
    sender.send(createWebhookRequest(event, { url, method, post }, details), signal, {
      account: 'a',
    })
}

const event = { seq: 7, event: 'message.create', message: 'm1' } as const
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const details = { previous: 5, from: 'smsrelay', secrets: [secret], timestamp: 1_893_456_000 }

const from = 'User-Agent: smsrelay\r\nX-Hook-From: smsrelay\r\n'
const id = 'message%5Bid%5D=m1'
const body = '{"message":{"id":"m1"}}'
const empty = `Content-Type: text/plain\r\nContent-Length: 0\r\n${signedLines(id)}`
const json = `Content-Type: application/json\r\nContent-Length: 23\r\n${signedLines(body)}${body}`

/** The signature fields, computed by the text of Standard Webhooks. */
function signedLines(data: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = createHmac('sha256', key).update(`evt_7_m1.1893456000.${data}`).digest('base64')
  const ours =
    'webhook-id: evt_7_m1\r\nwebhook-timestamp: 1893456000\r\n' +
    `webhook-signature: v1,${signed}\r\n`
  const order = 'webhook-sequence: 7\r\nwebhook-previous: 5\r\n'
  return `${ours}${order}Connection: keep-alive\r\n\r\n`
}

describe('the bytes of a webhook', () => {
  const methods = ['POST', 'GET', 'PUT', 'foo!', 'HEAD', 'DELETE', 'get', 'connect', 'head']
  const rare = ['CONNECT', 'TRACE', 'OPTIONS', 'NEXT', 'PRI', 'ABCDEFGHIJKLMNOP', "!#$%&'*+-.^_`|~"]

  test.each([...methods, ...rare])('%s', async method => {
    const sink = await openSink()
    const send = openSender()
    for (const post of [false, true]) {
      expect(await send({ url: `${sink.url}/hook`, method, post })).toEqual({
        ok: true,
        status: 204,
      })
    }
    const host = `Host: 127.0.0.1:${sink.port}\r\n`
    expect(sink.requests).toEqual([
      `${method} /hook?${id} HTTP/1.1\r\n${host}${from}${empty}`,
      `${method} /hook HTTP/1.1\r\n${host}${from}${json}`,
    ])
  })

  test.each([
    ['/', `/?${id}`, ''],
    ['/p?a=1&b[]=%5B', `/p?a=1&b[]=%5B&${id}`, ''],
    ['/p?#part', `/p?${id}`, ''],
    ['/ü?q=é', `/%C3%BC?q=%C3%A9&${id}`, ''],
    ['/p', `/p?${id}`, 'me:s%20cret@'],
  ])('%s has the request target %s', async (path, target, login) => {
    const sink = await openSink()
    await openSender()({ url: `http://${login}127.0.0.1:${sink.port}${path}` })
    const basic = login && `Authorization: Basic ${btoa('me:s cret')}\r\n`
    const host = `Host: 127.0.0.1:${sink.port}\r\n`
    expect(sink.requests).toEqual([`POST ${target} HTTP/1.1\r\n${host}${from}${basic}${empty}`])
  })

  test('reach an IPv6 address', async () => {
    const sink = await openSink(() => ok, { host: '::1' })
    expect(await openSender()({ url: `${sink.url}/p` })).toMatchObject({ ok: true })
    expect(sink.requests[0]).toContain(`Host: [::1]:${sink.port}\r\n`)
  })
})

describe('a result', () => {
  test.each([200, 201, 299, 300, 301, 400, 410, 500])('of %i is ok below 300', async status => {
    const sink = await openSink(() => reply(status))
    expect(await openSender()({ url: sink.url })).toMatchObject({ ok: status < 300, status })
  })

  test('of a redirect is a failure, and it is not followed', async () => {
    const other = await openSink()
    const sink = await openSink(() => reply(302, `Location: ${other.url}\r\n`))
    const result = await openSender()({ url: sink.url })
    expect(result).toEqual({
      ok: false,
      status: 302,
      error: 'The receiver replied 302.',
      reply: 'hm',
    })
    expect(other.requests).toEqual([])
  })

  test.each<[string, Reaction]>([
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a connection that is closed', 'hang up'],
  ])('of %s is a failure', async (_, reaction) => {
    const sink = await openSink(() => reaction)
    expect(await openSender()({ url: sink.url })).toMatchObject({ ok: false })
  })

  test('of a refused connection is a failure', async () => {
    const result = await openSender()({ url: `http://127.0.0.1:${await freePort()}` })
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining('ECONNREFUSED') })
  })

  test('of an invalid request is a failure that names the value', async () => {
    const sink = await openSink()
    const result = await openSender()({ url: sink.url, method: 'NOT A TOKEN' })
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining('NOT A TOKEN') })
    expect(sink.requests).toEqual([])
  })

  test('of a reply with a long body is that of its status', async () => {
    const sink = await openSink(
      () => `HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(20_000)}`,
    )
    expect(await openSender()({ url: sink.url })).toMatchObject({ ok: true, status: 200 })
  })

  const now = Date.UTC(2026, 10, 21, 12, 0, 0)

  test.each([
    [429, '7', 7000],
    [503, '0', 0],
    [503, 'Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    [429, 'Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
    [429, 'Sat Nov 21 12:00:30 2026', 30_000],
    [429, 'Sat, 21 Nov 2026 11:00:00 GMT', 0],
    [429, 'soon', undefined],
    [429, '-5', undefined],
    [500, '7', undefined],
  ])('of %i with Retry-After: %s has a wait of %s ms', async (status, field, wait) => {
    const sink = await openSink(() => reply(status, `Retry-After: ${field}\r\n`))
    const result = await openSender({ clock: new FakeClock({ start: now }) })({ url: sink.url })
    expect(result.retryAfter).toBe(wait)
  })

  test('has the first 2 KB of the reply as text, without a truncated character', async () => {
    const body = `é${'x'.repeat(2045)}é${'x'.repeat(100)}`
    const length = Buffer.byteLength(body)
    const bytes = Buffer.from(body).toString('utf8')
    const sink = await openSink(() => `HTTP/1.1 500 -\r\nContent-Length: ${length}\r\n\r\n${bytes}`)
    const result = await openSender()({ url: sink.url })
    expect(result.reply).toBe(`é${'x'.repeat(2045)}`)
  })

  test('has no reply without a body', async () => {
    const sink = await openSink(() => ok)
    expect(await openSender()({ url: sink.url })).toEqual({ ok: true, status: 204 })
  })
})

describe('timeouts', () => {
  test('a reply can take 15 s', async () => {
    const clock = new FakeClock()
    const sink = await openSink(() => 'silence')
    const result = openSender({ clock })({ url: sink.url })
    await sink.arrived(1)
    clock.advance(14_999)
    expect(clock.pending).toBe(1)
    clock.advance(1)
    expect(await result).toEqual({
      ok: false,
      error: 'The webhook failed: no reply within 15000 ms.',
    })
  })

  test('an endless body can take 15 s', async () => {
    const clock = new FakeClock()
    const sink = await openSink(() => 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhm')
    const result = openSender({ clock })({ url: sink.url })
    await sink.arrived(1)
    await new Promise(resolve => setImmediate(resolve))
    clock.advance(15_000)
    expect(await result).toMatchObject({ ok: expect.any(Boolean) })
    expect(clock.pending).toBe(0)
  })

  test('a connection can take 5 s', async () => {
    const clock = new FakeClock()
    let result: Promise<DeliveryResult> | undefined
    await new Promise<void>(resolve => {
      const resolver = { resolve: () => new Promise<never>(() => resolve()) }
      const send = openSender({ clock, resolver })
      result = send({ url: 'http://nowhere.invalid' })
    })
    clock.advance(4999)
    expect(clock.pending).toBe(2)
    clock.advance(1)
    const error = 'The webhook failed: no connection within 5000 ms.'
    expect(await result).toEqual({ ok: false, error })
    expect(clock.pending).toBe(0)
  })

  test('an aborted webhook ends at once', async () => {
    const sink = await openSink(() => 'silence')
    const abort = new AbortController()
    const send = openSender()
    const result = send({ url: sink.url }, abort.signal)
    await sink.arrived(1)
    abort.abort()
    expect(await result).toMatchObject({ ok: false })
    expect(await send({ url: sink.url }, abort.signal)).toMatchObject({ ok: false })
    expect(sink.requests).toHaveLength(1)
  })

  test('no timer remains', async () => {
    const clock = new FakeClock()
    const sink = await openSink()
    await openSender({ clock })({ url: sink.url })
    expect(clock.pending).toBe(0)
    await openSender({ clock })({ url: `http://127.0.0.1:${await freePort()}` })
    expect(clock.pending).toBe(0)
  })
})
