import { isIP } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createWebhookRequest } from '../../../../src/contract/webhook/webhook-request.js'
import { type AddressPolicy, createAddressPolicy } from '../../../../src/net/address-policy.js'
import type { HostResolver } from '../../../../src/net/dns/host-resolver.js'
import {
  createWebhookSender,
  type DeliveryResult,
} from '../../../../src/server/webhooks/webhook-sender.js'
import { createClock } from '../../../../src/util/async/clock.js'
import { openSink, reply } from '../sink.js'
import { World } from '../world.js'

const strict = createAddressPolicy()
/** Replaces a policy for public and private addresses: tests can listen on loopback only. */
const oneOfTwo = createAddressPolicy({ allow: ['127.0.0.1/32'] })
type Resolver = Pick<HostResolver, 'resolve'>

const never = new AbortController().signal
const closing = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'

/** A name server with an answer for each query; the last one repeats. */
function nameServer(...answers: string[][]) {
  const asked: { host: string; account: string }[] = []
  const resolver: Resolver = {
    resolve: async (host, account) => {
      const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? []
      asked.push({ host, account })
      return addresses.map(address => ({ address, family: isIP(address) }))
    },
  }
  return { resolver, asked }
}

function openSender(policy: AddressPolicy, resolver?: Resolver) {
  const sender = createWebhookSender({ clock: createClock(), policy, resolver })
  onTestFinished(() => sender.close())
  return async (url: string): Promise<DeliveryResult> => {
    const event = { seq: 1, event: 'message.create', message: 'm1' } as const
    const details = { previous: 0, from: 'smsrelay', secrets: [], timestamp: 0 }
    return await sender.send(
      createWebhookRequest(event, { url, method: 'POST', post: false }, details),
      never,
      { account: 'a' },
    )
  }
}

function refusedAs(host: string, kind: string): DeliveryResult {
  return { ok: false, error: expect.stringMatching(`${host}.* ${kind} .*--hook-allow`) }
}

describe('a name', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:a00:1', 'private'],
    ['10.0.0.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd00:ec2::254', 'private'],
    ['169.254.169.254', 'link-local'],
    ['fe80::1%lo', 'link-local'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['2002:7f00:1::', 'loopback'],
    ['0.0.0.0', 'reserved'],
    ['::', 'reserved'],
    ['224.0.0.1', 'multicast'],
  ])('that resolves to %s is refused', async (address, kind) => {
    const { resolver, asked } = nameServer([address])
    for (const scheme of ['http', 'https']) {
      const result = await openSender(strict, resolver)(`${scheme}://internal.example/`)
      expect(result).toEqual(refusedAs('internal.example', kind))
    }
    expect(asked.map(({ host }) => host)).toEqual(['internal.example', 'internal.example'])
  })

  test('is refused without naming its address', async () => {
    const { resolver } = nameServer(['10.9.8.7'])
    const { error } = await openSender(strict, resolver)('http://internal.example/')
    expect(error).not.toContain('10.9.8.7')
  })

  test('with several addresses is reached at an allowed one', async () => {
    const [allowed, refused] = [await openSink(() => closing), await openSink(undefined, other())]
    for (const addresses of [
      ['::1', '127.0.0.1'],
      ['127.0.0.1', '::1'],
      ['10.0.0.1', '::1', 'fe80::1', '127.0.0.1'],
    ]) {
      const { resolver } = nameServer(addresses)
      const result = await openSender(oneOfTwo, resolver)(`http://many.example:${allowed.port}/`)
      expect(result).toEqual({ ok: true, status: 204 })
    }
    expect(allowed.requests).toHaveLength(3)
    const { resolver } = nameServer(['::1', '10.0.0.1'])
    const result = await openSender(oneOfTwo, resolver)(`http://many.example:${refused.port}/`)
    expect(result).toEqual(refusedAs('many.example', 'loopback'))
    expect(refused.requests).toEqual([])
  })

  test('that resolves to another address later is refused then', async () => {
    const sink = await openSink(() => closing)
    const inner = await openSink(undefined, { port: sink.port, ...other() })
    const { resolver, asked } = nameServer(['127.0.0.1'], ['::1'])
    const send = openSender(oneOfTwo, resolver)
    const url = `http://rebind.example:${sink.port}/`
    expect(await send(url)).toEqual({ ok: true, status: 204 })
    expect(await send(url)).toEqual(refusedAs('rebind.example', 'loopback'))
    expect(sink.requests).toHaveLength(1)
    expect(inner.requests).toEqual([])
    expect(asked).toHaveLength(2)
  })

  test('is resolved once a connection, to the address that was checked', async () => {
    const sink = await openSink()
    const { resolver, asked } = nameServer(['127.0.0.1'], ['::1'])
    const send = openSender(oneOfTwo, resolver)
    const url = `http://once.example:${sink.port}/`
    for (const _ of [1, 2, 3]) expect(await send(url)).toEqual({ ok: true, status: 204 })
    expect(asked).toHaveLength(1)
  })

  test('that is unknown fails with the error of the resolver', async () => {
    const resolver = { resolve: async () => Promise.reject(new Error('no such name')) }
    const result = await openSender(strict, resolver)('http://nowhere.example/')
    expect(result).toEqual({ ok: false, error: 'The webhook failed: no such name.' })
  })

  test('localhost is refused with the resolver of the system', async () => {
    const sink = await openSink()
    const result = await openSender(strict)(`http://localhost:${sink.port}/`)
    expect(result).toEqual(refusedAs('localhost', 'loopback'))
    expect(sink.requests).toEqual([])
  })
})

describe('an address in the URL', () => {
  const forms = [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7F.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
    '127.0.1',
    '0x7f.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '127。0。0。1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ]

  test.each(forms)('%s is refused, and reached if loopback is allowed', async host => {
    const sink = await openSink(() => closing)
    const { resolver, asked } = nameServer(['127.0.0.1'])
    const url = `http://${host}:${sink.port}/`
    const { ok, error } = await openSender(strict, resolver)(url)
    expect([ok, error]).toEqual([false, expect.stringContaining('--hook-allow')])
    expect(sink.requests).toEqual([])
    expect(await openSender(createAddressPolicy({ loopback: true }))(url)).toMatchObject({
      ok: true,
    })
    expect(asked).toEqual([])
  })

  test.each([
    ['10.0.0.1', 'private'],
    ['012.0.0.1', 'private'],
    ['169.254.169.254', 'link-local'],
    ['2852039166', 'link-local'],
    ['0', 'reserved'],
    ['[::]', 'reserved'],
    ['[::1]', 'loopback'],
    ['[fe80::1]', 'link-local'],
    ['[fd00::1]', 'private'],
    ['[64:ff9b::a9fe:a9fe]', 'link-local'],
  ])('%s is refused as %s, also with https', async (host, kind) => {
    for (const scheme of ['http', 'https']) {
      const { ok, error } = await openSender(
        createAddressPolicy({ loopback: kind !== 'loopback' }),
      )(`${scheme}://${host}:9/`)
      expect([ok, error]).toEqual([false, expect.stringContaining(`a ${kind} address`)])
    }
  })

  test('is reached if a range allows it', async () => {
    const sink = await openSink()
    const send = openSender(createAddressPolicy({ allow: ['127.0.0.0/30'] }))
    expect(await send(sink.url)).toEqual({ ok: true, status: 204 })
  })
})

test('a redirect to a refused address is not followed', async () => {
  const inner = await openSink(undefined, other())
  const sink = await openSink(() => reply(307, `Location: ${inner.url}\r\n`))
  const result = await openSender(oneOfTwo)(sink.url)
  expect(result).toMatchObject({ ok: false, status: 307 })
  expect(inner.requests).toEqual([])
})

test('a refused webhook is retried like any other, and later events wait', async () => {
  const world = await World.open()
  const sink = await openSink()
  const subscription = await world.subscribe(sink.url)
  const errors: (string | undefined)[] = []
  const dispatcher = await world.dispatch({
    policy: strict,
    onAttempt: ({ result }) => errors.push(result.error),
  })
  await world.record(['m1', 'm2'])
  await dispatcher.idle()
  const { trying } = (await world.read(subscription)) ?? {}
  expect(trying).toMatchObject({ seq: 1, attempts: 1 })
  expect(trying?.retryAt).toBeGreaterThanOrEqual(world.clock.now() + 900)
  world.clock.advance(1100)
  await dispatcher.idle()
  expect(errors).toEqual(Array(2).fill(expect.stringContaining('--hook-allow')))
  expect(sink.requests).toEqual([])
})

function other(): { host: string } {
  return { host: '::1' }
}
