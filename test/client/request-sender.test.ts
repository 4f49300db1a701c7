import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RelayClient } from '../../src/client/relay-client.js'

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

const senders = [
  ['node:http', {}],
  ['the global fetch', { fetch }],
] as const
const secret = 'srs_secret'
const token = { access_token: 'srt_secret', token_type: 'Bearer', expires_in: 60, scope: '' }
const fields = {
  id: 'x',
  destination: '+12025550123',
  message: 'Hello',
  source: 'api',
  status: 'N',
  created_on: '',
  send_on: '',
  status_date: '',
  failure_count: 0,
}

/** A relay that issues a token and answers the other requests with these handlers in turn. */
async function startRelay(...handlers: Handler[]) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    if (request.url === '/oauth') return reply(200, token)(request, response)
    requests.push(request)
    return (handlers[requests.length - 1] ?? reply(500, {}))(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

function reply(status: number, body: unknown, headers: Record<string, string> = {}): Handler {
  return (request, response) => {
    request.resume()
    response.writeHead(status, headers).end(JSON.stringify(body))
  }
}

const unavailable = { error: 'unavailable', error_description: 'Not now.' }
const busy = reply(503, unavailable, { 'retry-after': '0' })
const disconnect: Handler = request => request.socket.destroy()
const neverReply: Handler = () => undefined
const accepted = reply(200, { message: fields })

describe.each(senders)('over %s', (_, options) => {
  const createClient = (url: string, timeout = 5000) =>
    new RelayClient({
      url,
      credentials: { user: secret, password: 'sra_secret' },
      timeout,
      ...options,
    })
  const draft = { destination: '+12025550123', message: 'Hello' }

  test('a 503 is retried with the same idempotency key', async () => {
    const { url, requests } = await startRelay(busy, busy, accepted)
    expect(await createClient(url).messages.create(draft)).toEqual(fields)
    const keys = requests.map(each => each.headers['idempotency-key'])
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
  })

  test('a lost connection is retried', async () => {
    const { url, requests } = await startRelay(disconnect, accepted)
    expect(await createClient(url).messages.get('x')).toEqual(fields)
    expect(requests).toHaveLength(2)
  })

  test('the third failure is thrown with the code and the Retry-After of the relay', async () => {
    const { url, requests } = await startRelay(busy, busy, busy, accepted)
    const error = { code: 'unavailable', retryAfter: 0 }
    await expect(createClient(url).messages.get('x')).rejects.toMatchObject(error)
    expect(requests).toHaveLength(3)
  })

  test('a request that must not be repeated is sent once', async () => {
    const { url, requests } = await startRelay(busy, accepted)
    const edit = createClient(url).messages.edit('x', { message: 'y' })
    await expect(edit).rejects.toMatchObject({ code: 'unavailable' })
    expect(requests).toHaveLength(1)
  })

  test('a request without a reply times out and is not retried', async () => {
    const { url, requests } = await startRelay(neverReply, accepted)
    const get = createClient(url, 300).messages.get('x')
    await expect(get).rejects.toMatchObject({ code: 'timed_out' })
    expect(requests).toHaveLength(1)
  })

  test('an aborted request ends at once', async () => {
    const ending = new AbortController()
    const reason = new Error('stop')
    const { url, requests } = await startRelay(() => ending.abort(reason))
    const { signal } = ending
    const get = createClient(url).messages.get('x', { signal })
    await expect(get).rejects.toBe(reason)
    expect(requests).toHaveLength(1)
  })

  test('a refused connection is reported with its reason and without a key', async () => {
    const error = await createClient('http://127.0.0.1:9').getUser().catch(String)
    expect(error).toMatch(/http:\/\/127\.0\.0\.1:9 .*\(.+\)/)
    expect(error).not.toContain('secret')
  })

  test.each([
    ['of another program', reply(404, 'Not here'), '404'],
    ['that is not JSON', reply(200, undefined), 'JSON'],
    ['with a field of another type', reply(200, { message: 7 }), '`message`'],
    ['with an unknown status', reply(200, { message: { ...fields, status: 'Z' } }), 'status`'],
  ])('a reply %s is invalid', async (_, handler, value) => {
    const { url } = await startRelay(handler)
    const error = { code: 'invalid_reply', message: expect.stringContaining(value) }
    await expect(createClient(url).messages.get('x')).rejects.toMatchObject(error)
  })

  test('the 413 of a proxy is payload_too_large', async () => {
    const { url } = await startRelay(reply(413, '<h1>Too large</h1>'))
    const error = { code: 'payload_too_large', message: expect.stringContaining('413') }
    await expect(createClient(url).messages.createBatch([])).rejects.toMatchObject(error)
  })
})

test('a redirect is not followed', async () => {
  const other = await startRelay(accepted)
  const location = `${other.url}/elsewhere`
  const { url } = await startRelay(reply(307, {}, { location }))
  const client = new RelayClient({ url, credentials: { token: 'srt_secret' } })
  await expect(client.messages.get('x')).rejects.toMatchObject({ code: 'invalid_reply' })
  expect(other.requests).toHaveLength(0)
})
