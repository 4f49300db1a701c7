import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import HookCreate from '../../../commands/hook/create.js'
import HookListen from '../../../commands/hook/listen.js'
import HookSecret from '../../../commands/hook/secret.js'
import { RelayClient } from '../../../src/index.js'
import { type Answer, type Hit, messageOf, openReceiver } from '../../conformance/receiver.js'
import { createRelay } from '../../quick-relay.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { type Ran, run, type Service, start, startService } from '../harness.js'

type Line = Record<string, unknown> & { type: string }

function linesOf({ stdout }: Ran): Line[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}

function clientOf({ relay, account }: Service): RelayClient {
  const credentials = { user: account.secret_key, password: account.api_key }
  return new RelayClient({ url: relay.url, credentials })
}

/** A service with a client, and listeners that remember in a directory of the test. */
async function open() {
  const service = await startService()
  const client = clientOf(service)
  const state = await temporaryFolder()
  const env = { ...service.env, SMSRELAY_STATE_DIR: state }
  const given = { ...service, env }
  const send = async () =>
    (await client.createMessage({ destination: '5551212', message: 'hi' })).id
  const listen = (...argv: string[]) =>
    start(HookListen, [...argv, ...service.flags, '--json'], given)
  return { service, client, send, listen, given, state }
}

/** Answers with these statuses, the last of them from then on. */
function answering(...statuses: number[]): (hit: Hit, nth: number) => Answer {
  return (_, nth) => ({ status: statuses[Math.min(nth, statuses.length) - 1] ?? 200 })
}

describe('hook listen --stream', () => {
  it('shows events from where it is told, each as one line of JSON', async () => {
    const { send, listen } = await open()
    const ids = [await send(), await send(), await send()]
    const seen = async (...argv: string[]) => {
      const ran = await listen('--stream', ...argv).ended
      const events = linesOf(ran).filter(line => line.type === 'event')
      return { code: ran.code, seen: events.map(line => (line.message as { id: string }).id) }
    }
    expect(await seen('--from', '2', '--count', '2')).toEqual({ code: 0, seen: ids.slice(1) })
    expect(await seen('--from', '-1', '--count', '1')).toEqual({ code: 0, seen: ids.slice(2) })
    expect(await seen('--from', 'now', '--max-wait', '300ms')).toEqual({ code: 124, seen: [] })
    expect(await seen('--max-wait', '300ms')).toEqual({ code: 124, seen: [] })
  })

  it('shows received texts as such, and fetches them', async () => {
    const { client, listen } = await open()
    const report = { from: '+12025550143', message: 'hello there' }
    const { id } = await client.reportReceived(report)
    const ran = await listen('--stream', '--from', '-1', '--count', '1', '--fetch').ended
    const event = { type: 'event', event: 'message.received', received: { id } }
    expect(linesOf(ran)[1]).toMatchObject({ ...event, fetched: { id, ...report } })
    expect(linesOf(ran)[1]).not.toHaveProperty('message')
  })

  it('is ready when what is recorded from then on arrives', async () => {
    const { send, listen } = await open()
    const listening = listen('--stream', '--until', 'message.create', '--fetch')
    await listening.untilPrinted('"ready"')
    const id = await send()
    const [ready, event, end] = linesOf(await listening.ended)
    expect(ready).toMatchObject({ type: 'ready', mode: 'stream' })
    expect(event).toMatchObject({
      ...{ type: 'event', sequence: 1, event: 'message.create', message: { id } },
      fetched: { id, message: 'hi', status: 'N' },
    })
    expect(end).toEqual({ type: 'end', reason: 'until', hits: 1 })
  })

  it.each([
    ['POST', true],
    ['PUT', false],
    ['PING', true],
    ['next', false],
  ])('hands on %s with post %s as the lane sends it', async (method, post) => {
    const { send, listen, given, service } = await open()
    const receiver = await openReceiver()
    const url = `${receiver.url}/a?b=%20c`
    const how = ['--method', method, post ? '--post' : '--no-post']
    const argv = ['message.create', url, ...how, ...service.flags]
    expect((await run(HookCreate, argv, given)).code).toBe(0)
    const id = await send()
    const fromLane = await receiver.next()
    const forward = ['--forward-to', url, '--from', '1', '--count', '1']
    expect((await listen('--stream', ...how, ...forward).ended).code).toBe(0)
    const hit = await receiver.next()
    expect(Object.keys(hit.headers)).toEqual(Object.keys(fromLane.headers))
    const { 'webhook-signature': _, 'webhook-timestamp': __, ...same } = fromLane.headers
    expect(hit).toMatchObject({ ...fromLane, headers: same })
    const secret = (await run(HookSecret, service.flags, given)).stdout.trim()
    const signed = post ? hit.body : `message%5Bid%5D=${id}`
    const { 'webhook-id': event = '', 'webhook-timestamp': at } = hit.headers
    const signature = new Webhook(secret).sign(event, new Date(Number(at) * 1000), signed)
    expect(hit.headers['webhook-signature']).toBe(signature)
  })

  it('hands on the next event only when the one before was answered with 2xx', async () => {
    const { send, listen } = await open()
    const receiver = await openReceiver(answering(500, 302, 204))
    const ids = [await send(), await send()]
    const forward = ['--forward-to', receiver.url, '--post', '--from', '1', '--show-response']
    const listening = listen('--stream', ...forward, '--count', '2')
    const hits = [await receiver.next(), await receiver.next(), await receiver.next()]
    hits.push(await receiver.next())
    expect(hits.map(messageOf)).toEqual([ids[0], ids[0], ids[0], ids[1]])
    expect(hits.map(hit => hit.headers['webhook-previous'])).toEqual(['0', '0', '0', '1'])
    const attempts = linesOf(await listening.ended).filter(line => line.type === 'attempt')
    const facts = attempts.map(({ attempt, status, ok, reply }) => [attempt, status, ok, reply])
    expect(facts).toEqual([
      [1, 500, false, ''],
      [2, 302, false, ''],
      [3, 204, true, ''],
      [1, 204, true, ''],
    ])
    expect(attempts[0]?.retry_in).toBeGreaterThan(0)
  })

  it('goes on behind the last acknowledged event when it is started again', async () => {
    const { send, listen } = await open()
    const receiver = await openReceiver()
    const argv = ['--stream', '--forward-to', receiver.url, '--post']
    const first = listen(...argv, '--count', '1')
    await first.untilPrinted('"ready"')
    const ids = [await send(), await send()]
    expect((await first.ended).code).toBe(0)
    ids.push(await send())
    const second = listen(...argv, '--count', '2')
    const hits = [await receiver.next(), await receiver.next(), await receiver.next()]
    expect(hits.map(messageOf)).toEqual(ids)
    expect((await second.ended).code).toBe(0)
    const third = listen(...argv, '--events', 'message.create', '--max-wait', '300ms')
    expect(linesOf(await third.ended).map(line => line.type)).toEqual(['ready', 'end'])
  })

  it('does not miss what is recorded after it was ready for the first time', async () => {
    const { send, listen } = await open()
    const receiver = await openReceiver()
    const argv = ['--stream', '--forward-to', receiver.url, '--post']
    await listen(...argv, '--max-wait', '300ms').ended
    const id = await send()
    const again = listen(...argv, '--count', '1')
    expect(messageOf(await receiver.next())).toBe(id)
    await again.ended
  })

  it('notes what it goes on without, and hands that on with --from failed', async () => {
    const { send, listen } = await open()
    const receiver = await openReceiver(answering(500, 204, 503, 204))
    const argv = ['--stream', '--forward-to', receiver.url, '--post', '--retry', '0']
    const ids = [await send(), await send(), await send()]
    await listen(...argv, '--from', '1', '--count', '3').ended
    const again = await listen(...argv, '--from', 'failed', '--count', '2').ended
    const hits: string[] = []
    for (let n = 0; n < 5; n += 1) hits.push(messageOf(await receiver.next()))
    expect(hits).toEqual([...ids, ids[0], ids[2]])
    expect(again.code).toBe(0)
    const none = await listen(...argv, '--from', 'failed', '--max-wait', '300ms').ended
    expect(linesOf(none).map(line => line.type)).toEqual(['ready', 'end'])
  })

  it('ends with 1 at an answer that is not expected, and repeats that event next time', async () => {
    const { send, listen } = await open()
    const receiver = await openReceiver(answering(404, 204))
    const id = await send()
    const argv = ['--stream', '--forward-to', receiver.url, '--post', '--expect', '2xx']
    const ran = await listen(...argv, '--from', '1').ended
    expect(ran.code).toBe(1)
    expect(linesOf(ran).at(-1)).toEqual({ type: 'end', reason: 'unexpected', hits: 0 })
    expect((await listen(...argv, '--count', '1').ended).code).toBe(0)
    expect([await receiver.next(), await receiver.next()].map(messageOf)).toEqual([id, id])
  })

  it('tells of a program that does not answer, in time or at all', async () => {
    const { send, listen } = await open()
    await send()
    const silent = await openSilent()
    const argv = ['--stream', '--retry', '0', '--count', '1', '--from', '1']
    const late = await listen(...argv, '--forward-to', silent, '--timeout', '50ms').ended
    expect(linesOf(late)[2]).toMatchObject({
      status: null,
      error: 'No answer: no answer within 50 ms.',
    })
    const nobody = await listen(...argv, '--forward-to', 'http://127.0.0.1:1').ended
    expect(linesOf(nobody)[2]).toMatchObject({ type: 'attempt', status: null, ok: false })
  })

  it('waits for an answer as long as it takes with --timeout 0', async () => {
    const { send, listen } = await open()
    await send()
    const silent = await openSilent()
    const argv = ['--stream', '--from', '1', '--forward-to', silent, '--timeout', '0']
    const told = linesOf(await listen(...argv, '--max-wait', '700ms').ended)
    expect(told.map(({ type }) => type)).toEqual(['ready', 'event', 'end'])
  })

  it('sends header fields of its own', async () => {
    const { send, listen } = await open()
    const receiver = await openReceiver()
    await send()
    const fields = ['-H', 'X-Env: test', '-H', 'user-agent: mine']
    const argv = ['--forward-to', receiver.url, '--from', '1', '--count', '1']
    await listen('--stream', ...fields, ...argv).ended
    expect((await receiver.next()).headers).toMatchObject({ 'x-env': 'test', 'user-agent': 'mine' })
  })

  it('says that it reconnects, and goes on, when the relay is started again', async () => {
    const { send, listen, service } = await open()
    const listening = listen('--stream', '--count', '2')
    await listening.untilPrinted('"ready"')
    const ids = [await send()]
    await listening.untilPrinted(ids[0] ?? '')
    const { port } = new URL(service.relay.url)
    await service.relay.stop()
    const again = await createRelay({ dataDir: service.dataDir, port: Number(port) })
    await again.start()
    ids.push(await send())
    const told = linesOf(await listening.ended)
    await again.stop()
    expect(told.map(({ type }) => type)).toEqual(['ready', 'event', 'reconnecting', 'event', 'end'])
    expect(told[3]).toMatchObject({ message: { id: ids[1] } })
  })

  it('refuses to run twice for one target', async () => {
    const { listen } = await open()
    const argv = ['--stream', '--forward-to', 'http://127.0.0.1:1']
    const first = listen(...argv)
    await first.untilPrinted('"ready"')
    const second = await listen(...argv).ended
    expect(linesOf(second)).toMatchObject([{ error: { code: 'directory_in_use' } }])
    first.signals.emit('SIGINT')
    expect((await first.ended).code).toBe(0)
  })

  it('tells people one aligned line a hit', async () => {
    const { send, given, service } = await open()
    const receiver = await openReceiver()
    const id = await send()
    const argv = ['--stream', '--forward-to', receiver.url, '--from', '1', '--count', '1']
    const { stdout } = await run(HookListen, [...argv, ...service.flags], given)
    const [, line] = stdout.split('\n')
    expect(line).toMatch(
      /^\d\d:\d\d:\d\dZ {2}message\.create {4}POST {3}→ 204 +\d+ ms {2}\S+ {2}#1$/,
    )
    expect(line).toContain(id)
  })
})

describe('hook listen on a port', () => {
  it.each([
    ['PING', true],
    ['NEXT', false],
    ['foo!', true],
  ])('passes %s on to the byte, and answers as the program does', async (method, post) => {
    const { send, listen } = await open()
    const receiver = await openReceiver(answering(500, 201))
    const how = ['--method', method, post ? '--post' : '--no-post']
    const target = `${receiver.url}/x?own=1`
    const argv = ['--events', 'message.create', '--forward-to', target, '--count', '1']
    const listening = listen(...how, ...argv)
    await listening.untilPrinted('"ready"')
    const id = await send()
    const [failed, hit] = [await receiver.next(), await receiver.next()]
    expect(failed.method).toBe(method)
    expect(hit.target).toBe(post ? '/x?own=1' : `/x?own=1&message%5Bid%5D=${id}`)
    expect(hit.body).toBe(post ? `{"message":{"id":"${id}"}}` : '')
    const told = linesOf(await listening.ended)
    expect(told.map(({ type, status }) => status ?? type)).toEqual([
      'ready',
      'hit',
      500,
      'hit',
      201,
      'end',
    ])
    const { 'x-hook-from': from, 'webhook-id': event } = hit.headers
    expect([from, event]).toEqual(['smsrelay', `evt_1_${id}`])
    expect(hit.headers.host).toBe(new URL(receiver.url).host)
  })

  it('ends with 1 at an answer that is not expected', async () => {
    const { send, listen } = await open()
    const receiver = await openReceiver(answering(404))
    const argv = ['--events', 'message.create', '--forward-to', receiver.url, '--expect', '2xx']
    const listening = listen(...argv)
    await listening.untilPrinted('"ready"')
    await send()
    const ran = await listening.ended
    expect(ran.code).toBe(1)
    expect(linesOf(ran).at(-1)).toEqual({ type: 'end', reason: 'unexpected', hits: 0 })
  })

  it('shows the message of each hit with --fetch', async () => {
    const { send, listen } = await open()
    const listening = listen('--until', 'message.create', '--fetch')
    await listening.untilPrinted('"ready"')
    const id = await send()
    expect(linesOf(await listening.ended)[1]).toMatchObject({ type: 'hit', fetched: { id } })
  })

  it('shows the text that a hit of message.received is about', async () => {
    const { client, listen } = await open()
    const listening = listen('--events', 'message.received', '--count', '1', '--fetch', '--post')
    await listening.untilPrinted('"ready"')
    const { id } = await client.reportReceived({ from: 'ACME', message: 'hello' })
    const [, hit] = linesOf(await listening.ended)
    expect(hit).toMatchObject({ type: 'hit', event: 'message.received', received: { id } })
    expect(hit).toMatchObject({ fetched: { id, from: 'ACME', message: 'hello' } })
  })

  it('hands received texts on as a relay does', async () => {
    const { client, listen } = await open()
    const receiver = await openReceiver()
    const { id } = await client.reportReceived({ from: 'ACME', message: 'hello' })
    const to = ['--forward-to', `${receiver.url}/in`, '--from', '1', '--count', '1']
    const ran = await listen('--stream', ...to).ended
    expect((await receiver.next()).target).toBe(`/in?received%5Bid%5D=${id}`)
    const attempt = linesOf(ran).find(line => line.type === 'attempt')
    expect(attempt).toMatchObject({ event: 'message.received', received: { id }, ok: true })
  })

  it('answers with --respond', async () => {
    const { send, listen, client } = await open()
    const listening = listen(
      '--events',
      'message.create',
      '--respond',
      '503',
      '--max-wait',
      '1500ms',
    )
    await listening.untilPrinted('"ready"')
    const [hook] = await client.listSubscriptions()
    await send()
    await listening.untilPrinted('"hit"')
    const { port, pathname } = new URL(hook?.url ?? '')
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`PING ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    const [bytes] = await once(socket, 'data')
    expect(String(bytes)).toMatch(/^HTTP\/1\.1 503 /)
    expect((await listening.ended).code).toBe(124)
  })
})

describe('the keys of hook listen', () => {
  it('repeat the last hit, show it in full, and end', async () => {
    const { send, given, service } = await open()
    const receiver = await openReceiver()
    const modes: boolean[] = []
    const stdin = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (isRaw: boolean) => modes.push(isRaw),
    })
    const argv = ['--stream', '--forward-to', receiver.url, '--post', '--from', '1']
    const listening = start(HookListen, [...argv, ...service.flags], { ...given, input: stdin })
    await listening.untilPrinted('Ready')
    const id = await send()
    await listening.untilPrinted('204')
    stdin.write('r')
    await listening.untilPrinted('replayed')
    expect([await receiver.next(), await receiver.next()].map(messageOf)).toEqual([id, id])
    stdin.write('xd')
    await listening.untilPrinted('webhook-id: evt_1_')
    stdin.write('q')
    expect((await listening.ended).code).toBe(0)
    expect(modes).toEqual([true, false])
  })

  it('leave Ctrl-C what it is', async () => {
    const { given, service } = await open()
    const modes: boolean[] = []
    const stdin = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (isRaw: boolean) => modes.push(isRaw),
    })
    const argv = ['--stream', '--count', '1', ...service.flags]
    const listening = start(HookListen, argv, { ...given, input: stdin })
    await listening.untilPrinted('Ready')
    stdin.write('\u0003')
    expect((await listening.ended).code).toBe(130)
    expect(modes).toEqual([true, false])
  })
})

describe('hook listen refuses', () => {
  it.each([
    [['--stream', '--port', '0'], '--stream and --port'],
    [['--from', '1'], '--from needs --stream'],
    [['--stream', '--retry', '1'], '--retry needs --forward-to'],
    [['--stream', '--from', 'failed'], '--from failed needs --forward-to'],
    [['--stream', '--from', 'then'], '--from must be'],
    [['--stream', '--from', '-1001'], '--from must be'],
    [['--until', 'message.nope'], '--until must be one of'],
    [['--events', 'message.sent', '--until', 'message.create'], '--until must be one of'],
    [['--expect', '2xx'], '--expect needs --forward-to'],
    [['--forward-to', '1', '--expect', '6xx'], '--expect must be'],
    [['--forward-to', 'ftp://x'], '--forward-to must be'],
    [['--forward-to', '1', '--respond', '200'], 'do not go together'],
    [['--forward-to', '1', '-H', 'no field'], '-H must be'],
    [['--forward-to', '1', '-H', 'a: b\nc: d'], 'cannot be sent'],
    [['--forward-to', '1', '-H', 'Content-Length: 5'], 'cannot be set'],
    [['--forward-to', '1', '-H', 'a: 1', '-H', 'A: 2'], 'twice'],
    [['--respond', '99'], '--respond "99"'],
  ])('%j', async (argv, sentence) => {
    const { listen } = await open()
    const ran = await listen(...argv).ended
    expect(ran.code).toBe(2)
    expect(linesOf(ran)).toMatchObject([
      { error: { code: 'usage', message: expect.stringContaining(sentence) } },
    ])
  })
})

/** The address of a program that takes hits and says nothing. */
async function openSilent(): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}
