import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createKyRequester } from '../../../src/client/ky-request.js'
import { RelayClient } from '../../../src/client/relay-client.js'
import { httpRequester } from '../../../src/net/client/http-request.js'
import type { Requester } from '../../../src/net/client/request.js'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

const requesters: [string, Requester][] = [
  ['node:http', httpRequester],
  ['ky', createKyRequester()],
]
const secret = 'srs_secret'
const fields = {
  ...{ id: 'x', destination: '+12025550123', message: 'Hello', source: 'api', status: 'N' },
  ...{ created_on: '', send_on: '', status_date: '', failure_count: 0 },
}

/** A relay that issues a token and gives these answers in turn, and what it was asked. */
async function script(...answers: Answer[]) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    if (request.url === '/oauth') return reply(200, token)(request, response)
    asked.push(request)
    return (answers[asked.length - 1] ?? reply(500, {}))(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const token = { access_token: 'srt_secret', token_type: 'Bearer', expires_in: 60, scope: '' }

function reply(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (request, response) => {
    request.resume()
    response.writeHead(status, headers).end(JSON.stringify(body))
  }
}

const refusal = { error: 'unavailable', error_description: 'Not now.' }
const busy = reply(503, refusal, { 'retry-after': '0' })
const lost: Answer = request => request.socket.destroy()
const silence: Answer = () => undefined
const accepted = reply(200, { message: fields })

describe.each(requesters)('over %s', (_, request) => {
  const client = (url: string, timeout = 5000) =>
    new RelayClient({
      url,
      credentials: { user: secret, password: 'sra_secret' },
      request,
      timeout,
    })
  const draft = { destination: '+12025550123', message: 'Hello' }

  test('a passing status is tried again with the same idempotency key', async () => {
    const { url, asked } = await script(busy, busy, accepted)
    expect(await client(url).createMessage(draft)).toEqual(fields)
    const keys = asked.map(each => each.headers['idempotency-key'])
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
  })

  test('a lost connection is tried again', async () => {
    const { url, asked } = await script(lost, accepted)
    expect(await client(url).getMessage('x')).toEqual(fields)
    expect(asked).toHaveLength(2)
  })

  test('a third failure is told, with the words and the time of the relay', async () => {
    const { url, asked } = await script(busy, busy, busy, accepted)
    const told = { code: 'unavailable', message: 'Not now.', retryAfter: 0 }
    await expect(client(url).getMessage('x')).rejects.toMatchObject(told)
    expect(asked).toHaveLength(3)
  })

  test('what must not be repeated is not', async () => {
    const { url, asked } = await script(busy, accepted)
    await expect(client(url).editMessage('x', { message: 'y' })).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(asked).toHaveLength(1)
  })

  test('no reply in time is told and not tried again', async () => {
    const { url, asked } = await script(silence, accepted)
    await expect(client(url, 300).getMessage('x')).rejects.toMatchObject({ code: 'timed_out' })
    expect(asked).toHaveLength(1)
  })

  test('an aborted request ends at once', async () => {
    const ending = new AbortController()
    const { url, asked } = await script(() => ending.abort())
    const { signal } = ending
    await expect(client(url).getMessage('x', { signal })).rejects.toThrow('abort')
    expect(asked).toHaveLength(1)
  })

  test('nobody who listens is told with the reason, and no key', async () => {
    const error = await client('http://127.0.0.1:9').getUser().catch(String)
    expect(error).toMatch(/http:\/\/127\.0\.0\.1:9 could not be reached \(.+\)/)
    expect(error).not.toContain('secret')
  })

  test.each([
    ['a page', reply(404, 'Not here'), 'The relay answered with HTTP status 404.'],
    ['text', reply(200, undefined), 'is not JSON'],
    ['something else', reply(200, { message: 7 }), '`message` must be of type object'],
    ['a new status', reply(200, { message: { ...fields, status: 'Z' } }), 'has another value'],
  ])('%s is no reply of a relay', async (_, answer, words) => {
    const { url } = await script(answer)
    const wrong = { code: 'invalid_reply', message: expect.stringContaining(words) }
    await expect(client(url).getMessage('x')).rejects.toMatchObject(wrong)
  })
})

test('over node:http a redirection is not followed: keys stay with the address that was given', async () => {
  const other = await script(accepted)
  const { url } = await script(reply(307, {}, { location: `${other.url}/elsewhere` }))
  const credentials = { token: 'srt_secret' }
  const client = new RelayClient({ url, credentials, request: httpRequester })
  await expect(client.getMessage('x')).rejects.toMatchObject({ code: 'invalid_reply' })
  expect(other.asked).toHaveLength(0)
})
