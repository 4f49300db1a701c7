// An orderly stop of the built relay: what is in progress ends or continues after the next start,
// and all of it within 10 seconds: after that the relay ends with code 1.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openConnection } from '../../net/server/client-connection.js'
import { ok, openSink } from '../../server/webhooks/sink.js'
import { type Home, type Listening, makeHome, serve } from '../program.js'

interface Keys {
  readonly secret_key: string
  readonly api_key: string
  readonly app_key: string
}

async function readKeys(home: Home): Promise<Keys> {
  const text = await readFile(join(home.dir, 'config', 'config.json'), 'utf8')
  return JSON.parse(text).profiles.default
}

/** Returns the header fields of requests with a key. */
async function signIn(home: Home, { url }: Listening, kind: 'api_key' | 'app_key') {
  const keys = await readKeys(home)
  const login = Buffer.from(`${keys.secret_key}:${keys[kind]}`).toString('base64')
  const reply = await fetch(`${url}/oauth`, { headers: { authorization: `Basic ${login}` } })
  const { access_token } = (await reply.json()) as { access_token: string }
  return { authorization: `Bearer ${access_token}` }
}

async function start(...flags: string[]) {
  const home = await makeHome()
  const relay = await serve(home, ...flags)
  return { home, relay, port: Number(new URL(relay.url).port) }
}

/** Creates a message with a subscription to its event; resolves when the webhook has arrived. */
async function notifySilentReceiver(home: Home, relay: Listening) {
  const sink = await openSink(nth => (nth === 1 ? 'silence' : ok))
  const headers = { ...(await signIn(home, relay, 'api_key')), 'content-type': 'application/json' }
  const post = async (path: string, value: object) => {
    const body = JSON.stringify(value)
    const reply = await fetch(`${relay.url}/api/1/${path}`, { method: 'POST', headers, body })
    expect(reply.status).toBe(200)
  }
  await post('subscription', { event: 'message.create', url: sink.url })
  await post('message', { message: { destination: '+12025550123', message: 'hello' } })
  await sink.arrived(1)
  return sink
}

const readIds = (requests: readonly string[]) =>
  requests.map(request => /^webhook-id: (.+)$/im.exec(request)?.[1])

test('an idle connection closes, and a waiting NEXT and an event stream end', async () => {
  const { home, relay, port } = await start()
  const idle = await openConnection(port)
  await idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await idle.replies(1)
  const { authorization } = await signIn(home, relay, 'app_key')
  const next = await openConnection(port)
  const head = `Host: localhost\r\nAuthorization: ${authorization}\r\n`
  await next.write(`NEXT /api/1/message HTTP/1.1\r\n${head}Prefer: wait=25\r\n\r\n`)
  const api = await signIn(home, relay, 'api_key')
  const headers = { ...api, accept: 'text/event-stream' }
  const stream = await fetch(`${relay.url}/api/1/event`, { headers })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const before = performance.now()
  expect(await relay.end('SIGTERM')).toBe(0)
  // Connections that do not end by themselves are cut off after 6 s.
  expect(performance.now() - before).toBeLessThan(6000)
  await idle.closed
  expect(await next.replies(1)).toEqual([expect.stringContaining('HTTP/1.1 404 ')])
  expect(await stream.text()).toContain(': ok')
})

test('a webhook in flight ends if its receiver replies', async () => {
  const { home, relay } = await start()
  const sink = await notifySilentReceiver(home, relay)
  relay.child.kill('SIGTERM')
  await waitForLog(relay, '"event":"stopping"')
  sink.answer(ok)
  expect((await relay.ended).code).toBe(0)
  const again = await serve(home)
  expect(await again.end('SIGTERM')).toBe(0)
  expect(sink.requests).toHaveLength(1)
})

test('a webhook without a reply is repeated after the start, with the same id', async () => {
  const { home, relay } = await start()
  const sink = await notifySilentReceiver(home, relay)
  expect(await relay.end('SIGTERM')).toBe(0)
  const again = await serve(home)
  await sink.arrived(2)
  const [first, second] = readIds(sink.requests)
  expect(first).toBeTruthy()
  expect(second).toBe(first)
  expect(await again.end('SIGTERM')).toBe(0)
})

test('requests, mail and webhooks that do not end delay a stop by less than 10 s', async () => {
  const domain = ['--smtp-port', '0', '--smtp-domain', 'sms.example.com']
  const { home, relay, port } = await start(...domain)
  await notifySilentReceiver(home, relay)
  const { authorization } = await signIn(home, relay, 'api_key')
  const slow = await openConnection(port)
  const head = `Host: localhost\r\nAuthorization: ${authorization}\r\nContent-Length: 90\r\n`
  await slow.write(`POST /api/1/message HTTP/1.1\r\n${head}\r\n{`)
  const mail = await openConnection(Number(new URL(relay.smtp ?? '').port))
  await once(mail.socket, 'data')
  expect(await relay.end('SIGTERM')).toBe(0)
})

test('a second signal ends the relay at once', async () => {
  const { home, relay } = await start()
  await notifySilentReceiver(home, relay)
  const before = performance.now()
  // A signal that follows at once can be an echo of the first one.
  const repeated = setInterval(() => relay.child.kill('SIGTERM'), 500)
  const { code } = await relay.ended
  clearInterval(repeated)
  expect(code).toBe(130)
  // After one signal the webhook has 5 s to end.
  expect(performance.now() - before).toBeLessThan(5000)
})

/** Resolves when the relay has logged a line with this text. */
async function waitForLog(relay: Listening, text: string): Promise<void> {
  let seen = ''
  while (!seen.includes(text)) seen += String(await once(relay.child.stderr, 'data'))
}
