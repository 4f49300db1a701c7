import { once } from 'node:events'
import { connect } from 'node:net'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import HookListen from '../../../commands/hook/listen.js'
import { openReceiver } from '../../conformance/receiver.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { start } from '../harness.js'
import { openListening, parseEvents, respondWith } from './listen-rig.js'

describe('hook listen on a port', () => {
  it('prints ready, each webhook and the end, and leaves no subscription', async () => {
    const { send, listen, client } = await openListening()
    const listening = listen('--events', 'message.create', '--count', '1')
    await listening.waitForOutput('"ready"')
    const id = await send()
    const ran = await listening.ended
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const [ready, webhook, end] = parseEvents(ran)
    expect(ready).toMatchObject({ type: 'ready', events: ['message.create'] })
    expect(webhook).toMatchObject({
      ...{ type: 'hit', event: 'message.create', method: 'POST', message: { id } },
      headers: { 'x-hook-from': 'smsrelay' },
    })
    expect(end).toEqual({ type: 'end', reason: 'count', hits: 1 })
    expect(await client.subscriptions.list()).toEqual([])
  })

  it('receives any method, with the data in the body', async () => {
    const { send, listen } = await openListening()
    const how = ['--method', 'SHOUT', '--post', '--events', 'message.create', '--count', '1']
    const listening = listen(...how)
    await listening.waitForOutput('"ready"')
    const id = await send()
    const body = `{"message":{"id":"${id}"}}`
    const [, webhook] = parseEvents(await listening.ended)
    expect(webhook).toMatchObject({ method: 'SHOUT', message: { id }, body })
  })

  it('without --events it asks for all but receipts and sign-ins; SIGTERM ends that', async () => {
    const { listen, client } = await openListening()
    const listening = listen()
    await listening.waitForOutput('"ready"')
    const subscriptions = await client.subscriptions.list()
    const names = await client.subscriptions.listEventNames()
    const expected = names.filter(name => !/delivered$|^person\./.test(name))
    expect(subscriptions.map(each => each.event)).toEqual(expected)
    listening.signals.emit('SIGTERM')
    const ran = await listening.ended
    expect(ran.code).toBe(0)
    expect(parseEvents(ran).at(-1)).toEqual({ type: 'end', reason: 'stopped', hits: 0 })
    expect(await client.subscriptions.list()).toEqual([])
  })

  it('a signal before --count is reached ends with 130', async () => {
    const { listen } = await openListening()
    const listening = listen('--count', '2')
    await listening.waitForOutput('"ready"')
    listening.signals.emit('SIGINT')
    expect((await listening.ended).code).toBe(130)
  })

  it('--max-wait ends with 124 and leaves no subscription', async () => {
    const { listen, client } = await openListening()
    const ran = await listen('--max-wait', '1ms').ended
    expect(ran.code).toBe(124)
    expect(parseEvents(ran).at(-1)).toEqual({ type: 'end', reason: 'max-wait', hits: 0 })
    expect(await client.subscriptions.list()).toEqual([])
  })

  it('an event that the relay does not know is an error and leaves no subscription', async () => {
    const { listen, client } = await openListening()
    const ran = await listen('--events', 'message.create,message.nope').ended
    expect(ran.code).toBe(1)
    expect(parseEvents(ran)).toMatchObject([{ error: { code: 'invalid_parameter' } }])
    expect(await client.subscriptions.list()).toEqual([])
  })

  it('a request that is not a webhook gets 404 and is not printed', async () => {
    const { listen, client } = await openListening()
    const listening = listen()
    await listening.waitForOutput('"ready"')
    const [subscription] = await client.subscriptions.list()
    const { statusCode, body } = await request(new URL('/elsewhere', subscription?.url))
    await body.dump()
    expect(statusCode).toBe(404)
    listening.signals.emit('SIGHUP')
    expect(parseEvents(await listening.ended).map(line => line.type)).toEqual(['ready', 'end'])
  })

  it('without --json each webhook is one aligned line', async () => {
    const { send, fixture, given } = await openListening()
    const argv = ['--events', 'message.create', '--count', '1', ...fixture.flags]
    const listening = start(HookListen, argv, given)
    await listening.waitForOutput('Events: message.create')
    await send()
    const { stdout, stderr } = await listening.ended
    expect(stdout).toMatch(
      /\n\d\d:\d\d:\d\dZ {2}message\.create {4}POST {4}[0-9a-f-]{36} {2}\/\S+\n$/,
    )
    expect(stderr).toMatch(/\b1 event\b/)
  })

  it.each([
    ['PING', true],
    ['NEXT', false],
    ['foo!', true],
  ])(
    'with --forward-to, %s is forwarded to the byte, and so is the status',
    async (method, post) => {
      const { send, listen } = await openListening()
      const receiver = await openReceiver(respondWith(500, 201))
      const how = ['--method', method, post ? '--post' : '--no-post']
      const target = `${receiver.url}/x?own=1`
      const argv = ['--events', 'message.create', '--forward-to', target, '--count', '1']
      const listening = listen(...how, ...argv)
      await listening.waitForOutput('"ready"')
      const id = await send()
      const [failed, webhook] = [await receiver.next(), await receiver.next()]
      expect(failed.method).toBe(method)
      expect(webhook.target).toBe(post ? '/x?own=1' : `/x?own=1&message%5Bid%5D=${id}`)
      expect(webhook.body).toBe(post ? `{"message":{"id":"${id}"}}` : '')
      const lines = parseEvents(await listening.ended)
      expect(lines.map(({ type, status }) => status ?? type)).toEqual([
        ...['ready', 'hit', 500, 'hit', 201, 'end'],
      ])
      const { 'x-hook-from': from, 'webhook-id': event } = webhook.headers
      expect([from, event]).toEqual(['smsrelay', `evt_1_${id}`])
      expect(webhook.headers.host).toBe(new URL(receiver.url).host)
    },
  )

  it('with --expect another status ends with 1', async () => {
    const { send, listen } = await openListening()
    const receiver = await openReceiver(respondWith(404))
    const argv = ['--events', 'message.create', '--forward-to', receiver.url, '--expect', '2xx']
    const listening = listen(...argv)
    await listening.waitForOutput('"ready"')
    await send()
    const ran = await listening.ended
    expect(ran.code).toBe(1)
    expect(parseEvents(ran).at(-1)).toEqual({ type: 'end', reason: 'unexpected', hits: 0 })
  })

  it('--fetch shows the message of each webhook', async () => {
    const { send, listen } = await openListening()
    const listening = listen('--until', 'message.create', '--fetch')
    await listening.waitForOutput('"ready"')
    const id = await send()
    expect(parseEvents(await listening.ended)[1]).toMatchObject({ type: 'hit', fetched: { id } })
  })

  it('--fetch shows the received text of message.received', async () => {
    const { client, listen } = await openListening()
    const listening = listen('--events', 'message.received', '--count', '1', '--fetch', '--post')
    await listening.waitForOutput('"ready"')
    const { id } = await client.receivedTexts.report({ from: 'ACME', message: 'hello' })
    const [, webhook] = parseEvents(await listening.ended)
    expect(webhook).toMatchObject({ type: 'hit', event: 'message.received', received: { id } })
    expect(webhook).toMatchObject({ fetched: { id, from: 'ACME', message: 'hello' } })
  })

  it('--respond sets the status of the response', async () => {
    const clock = new FakeClock()
    const { send, listen, client } = await openListening({ clock })
    const argv = ['--events', 'message.create', '--respond', '503', '--max-wait', '1s']
    const listening = listen(...argv)
    await listening.waitForOutput('"ready"')
    const [subscription] = await client.subscriptions.list()
    await send()
    await listening.waitForOutput('"hit"')
    const { port, pathname } = new URL(subscription?.url ?? '')
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`PING ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    const [bytes] = await once(socket, 'data')
    expect(String(bytes)).toMatch(/^HTTP\/1\.1 503 /)
    clock.advance(1000)
    expect((await listening.ended).code).toBe(124)
  })
})
