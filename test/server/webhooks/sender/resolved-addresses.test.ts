import { expect, onTestFinished, test } from 'vitest'
import { createWebhookRequest } from '../../../../src/contract/webhook/webhook-request.js'
import { createAddressPolicy } from '../../../../src/net/address-policy.js'
import { HostResolver } from '../../../../src/net/dns/host-resolver.js'
import { createWebhookSender } from '../../../../src/server/webhooks/webhook-sender.js'
import { createClock } from '../../../../src/util/async/clock.js'
import { type DnsReaction, openDnsServer } from '../../../net/dns/dns-answerer.js'
import { FakeClock } from '../../../util/async/fake-clock.js'
import { openSink } from '../sink.js'

const closing = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'

/** A sender that may use 127.0.0.1 or a range, and asks a DNS server of the test. */
async function openSender(react: DnsReaction, range = '127.0.0.1/32') {
  const { server, queries } = await openDnsServer(react)
  const clock = new FakeClock()
  const sender = createWebhookSender({
    clock: createClock(),
    policy: createAddressPolicy({ allow: [range] }),
    resolver: new HostResolver({ clock, servers: [server] }),
  })
  onTestFinished(() => sender.close())
  const send = async (url: string) => {
    const event = { seq: 1, event: 'message.create', message: 'm1' } as const
    const details = { previous: 0, from: 'smsrelay', secrets: [], timestamp: 0 }
    const request = createWebhookRequest(event, { url, method: 'POST', post: true }, details)
    return await sender.send(request, new AbortController().signal, { account: 'a' })
  }
  return { send, queries, clock }
}

test('a name is reached at the allowed one of its addresses', async () => {
  const sink = await openSink(() => closing)
  const addresses = ['10.0.0.1', '::1', '169.254.169.254', '127.0.0.1']
  const { send } = await openSender(() => ({ addresses }))
  expect(await send(`http://hook.test:${sink.port}/`)).toEqual({ ok: true, status: 204 })
  expect(sink.requests).toHaveLength(1)
})

test('an address that refuses the connection is followed by the next one', async () => {
  const sink = await openSink(() => closing)
  const { send } = await openSender(
    () => ({ addresses: ['127.0.0.2', '127.0.0.1'] }),
    '127.0.0.0/8',
  )
  expect(await send(`http://hook.test:${sink.port}/`)).toEqual({ ok: true, status: 204 })
})

test('an alias of a name with private addresses is refused', async () => {
  const { send } = await openSender(() => ({ cname: 'inner.test', addresses: ['10.0.0.1', '::1'] }))
  expect(await send('http://alias.test/')).toEqual({
    ok: false,
    error: expect.stringMatching('alias.test has a private address'),
  })
})

test('a name that changes to a private address is refused when its record expires', async () => {
  const sink = await openSink(() => closing)
  let address = '127.0.0.1'
  const { send, clock } = await openSender(() => ({ addresses: [address], ttl: 10 }))
  const url = `http://rebind.test:${sink.port}/`
  expect(await send(url)).toMatchObject({ ok: true })
  address = '10.0.0.1'
  expect(await send(url)).toMatchObject({ ok: true })
  clock.advance(10_000)
  expect(await send(url)).toMatchObject({ ok: false, error: expect.stringMatching('private') })
  expect(sink.requests).toHaveLength(2)
})

test.each([
  [{ code: 'not found' }, 'unknown host name'],
  [{ code: 'server failure' }, 'could not resolve'],
] as const)('the reply %j is told in the error', async (reply, text) => {
  const { send } = await openSender(() => reply)
  expect(await send('http://hook.test/')).toEqual({
    ok: false,
    error: expect.stringMatching(`${text}.*\\.$`),
  })
})
