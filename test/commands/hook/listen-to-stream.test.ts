import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import HookListen from '../../../commands/hook/listen.js'
import HookSecret from '../../../commands/hook/secret.js'
import HookCreate from '../../../commands/hook/subscription/create.js'
import { getMessageId, openReceiver } from '../../conformance/receiver.js'
import { createRelay } from '../../quick-relay.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { run } from '../harness.js'
import { openListening, parseEvents, respondWith } from './listen-rig.js'

describe('hook listen --stream', () => {
  it.each([
    [['--from', '2', '--count', '2'], 0, [1, 2]],
    [['--from', '-1', '--count', '1'], 0, [2]],
    [['--from', 'now', '--max-wait', '300ms'], 124, []],
    [['--max-wait', '300ms'], 124, []],
  ])('with %j it ends with %d and prints the events %j', async (argv, code, indexes) => {
    const { send, listen } = await openListening()
    const ids = [await send(), await send(), await send()]
    const ran = await listen('--stream', ...argv).ended
    const events = parseEvents(ran).filter(line => line.type === 'event')
    expect(ran.code).toBe(code)
    expect(events.map(line => line.message)).toEqual(indexes.map(at => ({ id: ids[at] })))
  })

  it('with --fetch a received text is shown in full', async () => {
    const { client, listen } = await openListening()
    const report = { from: '+12025550143', message: 'hello there' }
    const { id } = await client.receivedTexts.report(report)
    const ran = await listen('--stream', '--from', '-1', '--count', '1', '--fetch').ended
    const event = { type: 'event', event: 'message.received', received: { id } }
    expect(parseEvents(ran)[1]).toMatchObject({ ...event, fetched: { id, ...report } })
    expect(parseEvents(ran)[1]).not.toHaveProperty('message')
  })

  it('an event after the line "ready" arrives', async () => {
    const { send, listen } = await openListening()
    const listening = listen('--stream', '--until', 'message.create', '--fetch')
    await listening.waitForOutput('"ready"')
    const id = await send()
    const [ready, event, end] = parseEvents(await listening.ended)
    expect(ready).toMatchObject({ type: 'ready', mode: 'stream' })
    expect(event).toMatchObject({
      ...{ type: 'event', sequence: 1, event: 'message.create', message: { id } },
      fetched: { id, message: 'hi', status: 'N' },
    })
    expect(end).toEqual({ type: 'end', reason: 'until', hits: 1 })
  })

  it('a relay that restarts causes "reconnecting", and no event is lost', async () => {
    const { send, listen, fixture } = await openListening()
    const listening = listen('--stream', '--count', '2')
    await listening.waitForOutput('"ready"')
    const ids = [await send()]
    await listening.waitForOutput(ids[0] ?? '')
    const { port } = new URL(fixture.relay.url)
    await fixture.relay.stop()
    const restarted = await createRelay({ dataDir: fixture.dataDir, port: Number(port) })
    await restarted.start()
    ids.push(await send())
    const lines = parseEvents(await listening.ended)
    await restarted.stop()
    // It says so for each attempt; the relay may need several to start.
    const types = lines.map(({ type }) => type)
    expect(types.filter((type, at) => type !== 'reconnecting' || types[at - 1] !== type)).toEqual([
      ...['ready', 'event', 'reconnecting', 'event', 'end'],
    ])
    expect(lines.at(-2)).toMatchObject({ message: { id: ids[1] } })
  })
})

describe('hook listen --stream --forward-to', () => {
  it.each([
    ['POST', true],
    ['PUT', false],
    ['PING', true],
    ['next', false],
  ])('the webhook with method %s and post %s equals that of the relay', async (method, post) => {
    const { send, listen, given, fixture } = await openListening()
    const receiver = await openReceiver()
    const url = `${receiver.url}/a?b=%20c`
    const how = ['--method', method, post ? '--post' : '--no-post']
    const argv = ['message.create', url, ...how, ...fixture.flags]
    expect((await run(HookCreate, argv, given)).code).toBe(0)
    const id = await send()
    const fromRelay = await receiver.next()
    const forward = ['--forward-to', url, '--from', '1', '--count', '1']
    expect((await listen('--stream', ...how, ...forward).ended).code).toBe(0)
    const webhook = await receiver.next()
    expect(Object.keys(webhook.headers)).toEqual(Object.keys(fromRelay.headers))
    const { 'webhook-signature': _, 'webhook-timestamp': __, ...same } = fromRelay.headers
    expect(webhook).toMatchObject({ ...fromRelay, headers: same })
    const secret = (await run(HookSecret, fixture.flags, given)).stdout.trim()
    const signed = post ? webhook.body : `message%5Bid%5D=${id}`
    const { 'webhook-id': event = '', 'webhook-timestamp': at } = webhook.headers
    const signature = new Webhook(secret).sign(event, new Date(Number(at) * 1000), signed)
    expect(webhook.headers['webhook-signature']).toBe(signature)
  })

  it('the next event is sent only after a response of 2xx', async () => {
    const { send, listen } = await openListening()
    const receiver = await openReceiver(respondWith(500, 302, 204))
    const ids = [await send(), await send()]
    const forward = ['--forward-to', receiver.url, '--post', '--from', '1', '--show-response']
    const listening = listen('--stream', ...forward, '--count', '2')
    const webhooks = [await receiver.next(), await receiver.next(), await receiver.next()]
    webhooks.push(await receiver.next())
    expect(webhooks.map(getMessageId)).toEqual([ids[0], ids[0], ids[0], ids[1]])
    expect(webhooks.map(each => each.headers['webhook-previous'])).toEqual(['0', '0', '0', '1'])
    const attempts = parseEvents(await listening.ended).filter(line => line.type === 'attempt')
    const results = attempts.map(({ attempt, status, ok, reply }) => [attempt, status, ok, reply])
    expect(results).toEqual([
      [1, 500, false, ''],
      [2, 302, false, ''],
      [3, 204, true, ''],
      [1, 204, true, ''],
    ])
    expect(attempts[0]?.retry_in).toBeGreaterThan(0)
  })

  it('a second run continues after the last finished event', async () => {
    const { send, listen } = await openListening()
    const receiver = await openReceiver()
    const argv = ['--stream', '--forward-to', receiver.url, '--post']
    const first = listen(...argv, '--count', '1')
    await first.waitForOutput('"ready"')
    const ids = [await send(), await send()]
    expect((await first.ended).code).toBe(0)
    ids.push(await send())
    const second = listen(...argv, '--count', '2')
    const webhooks = [await receiver.next(), await receiver.next(), await receiver.next()]
    expect(webhooks.map(getMessageId)).toEqual(ids)
    expect((await second.ended).code).toBe(0)
    ids.push(await send())
    const third = listen(...argv, '--count', '1')
    expect(getMessageId(await receiver.next())).toBe(ids[3])
    expect((await third.ended).code).toBe(0)
  })

  it('a second run gets an event that came after the first run without one', async () => {
    const clock = new FakeClock()
    const { send, listen } = await openListening({ clock })
    const receiver = await openReceiver()
    const argv = ['--stream', '--forward-to', receiver.url, '--post']
    const first = listen(...argv, '--max-wait', '300ms')
    await first.waitForOutput('"ready"')
    clock.advance(300)
    expect((await first.ended).code).toBe(124)
    const id = await send()
    const second = listen(...argv, '--count', '1')
    expect(getMessageId(await receiver.next())).toBe(id)
    await second.ended
  })

  it('--retry 0 skips failed events, and --from failed sends them again', async () => {
    const { send, listen } = await openListening()
    const receiver = await openReceiver(respondWith(500, 204, 503, 204))
    const argv = ['--stream', '--forward-to', receiver.url, '--post', '--retry', '0']
    const ids = [await send(), await send(), await send()]
    await listen(...argv, '--from', '1', '--count', '3').ended
    const second = await listen(...argv, '--from', 'failed', '--count', '2').ended
    const received: string[] = []
    for (let n = 0; n < 5; n += 1) received.push(getMessageId(await receiver.next()))
    expect(received).toEqual([...ids, ids[0], ids[2]])
    expect(second.code).toBe(0)
    const third = listen(...argv, '--from', 'failed', '--count', '1')
    await third.waitForOutput('"ready"')
    const next = await send()
    expect(getMessageId(await receiver.next())).toBe(next)
    expect((await third.ended).code).toBe(0)
  })

  it('with --expect another status ends with 1, and the next run repeats the event', async () => {
    const { send, listen } = await openListening()
    const receiver = await openReceiver(respondWith(404, 204))
    const id = await send()
    const argv = ['--stream', '--forward-to', receiver.url, '--post', '--expect', '2xx']
    const ran = await listen(...argv, '--from', '1').ended
    expect(ran.code).toBe(1)
    expect(parseEvents(ran).at(-1)).toEqual({ type: 'end', reason: 'unexpected', hits: 0 })
    expect((await listen(...argv, '--count', '1').ended).code).toBe(0)
    expect([await receiver.next(), await receiver.next()].map(getMessageId)).toEqual([id, id])
  })

  it('-H adds and replaces header fields', async () => {
    const { send, listen } = await openListening()
    const receiver = await openReceiver()
    await send()
    const fields = ['-H', 'X-Env: test', '-H', 'user-agent: mine']
    const argv = ['--forward-to', receiver.url, '--from', '1', '--count', '1']
    await listen('--stream', ...fields, ...argv).ended
    expect((await receiver.next()).headers).toMatchObject({ 'x-env': 'test', 'user-agent': 'mine' })
  })

  it('a received text is sent in the same form as by the relay', async () => {
    const { client, listen } = await openListening()
    const receiver = await openReceiver()
    const { id } = await client.receivedTexts.report({ from: 'ACME', message: 'hello' })
    const to = ['--forward-to', `${receiver.url}/in`, '--from', '1', '--count', '1']
    const ran = await listen('--stream', ...to).ended
    expect((await receiver.next()).target).toBe(`/in?received%5Bid%5D=${id}`)
    const attempt = parseEvents(ran).find(line => line.type === 'attempt')
    expect(attempt).toMatchObject({ event: 'message.received', received: { id }, ok: true })
  })

  it('a second listener for the same address fails with directory_in_use', async () => {
    const { listen } = await openListening()
    const argv = ['--stream', '--forward-to', 'http://127.0.0.1:1']
    const first = listen(...argv)
    await first.waitForOutput('"ready"')
    const second = await listen(...argv).ended
    expect(parseEvents(second)).toMatchObject([{ error: { code: 'directory_in_use' } }])
    first.signals.emit('SIGINT')
    expect((await first.ended).code).toBe(0)
  })

  it('without --json each webhook is one aligned line', async () => {
    const { send, given, fixture } = await openListening()
    const receiver = await openReceiver()
    const id = await send()
    const argv = ['--stream', '--forward-to', receiver.url, '--from', '1', '--count', '1']
    const { stdout } = await run(HookListen, [...argv, ...fixture.flags], given)
    const [, , , line] = stdout.split('\n')
    expect(line).toMatch(
      /^\d\d:\d\d:\d\dZ {2}message\.create {4}POST {3}→ 204 +\d+ ms {2}\S+ {2}#1$/,
    )
    expect(line).toContain(id)
  })
})
