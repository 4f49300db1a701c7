import { describe, expect, test } from 'vitest'
import { HostResolver, type HostResolverOptions } from '../../../src/net/dns/host-resolver.js'
import { Metrics } from '../../../src/util/collections/metrics.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { type DnsReaction, openDnsServer } from './dns-answerer.js'

/** A resolver that asks a server of the test. */
async function openResolver(react: DnsReaction, options: HostResolverOptions = {}) {
  const dns = await openDnsServer(react)
  const clock = new FakeClock()
  const metrics = new Metrics()
  const resolver = new HostResolver({ clock, metrics, servers: [dns.server], ...options })
  const resolve = async (name: string, account = 'a', signal?: AbortSignal): Promise<string[]> =>
    (await resolver.resolve(name, account, signal)).map(({ address }) => address)
  return { ...dns, clock, metrics, resolve }
}

/** A server for a few names; others do not exist. */
function serve(names: Record<string, Partial<ReturnType<DnsReaction>>>): DnsReaction {
  return ({ name }) => names[name] ?? { code: 'not found' }
}

const both = ['2001:db8::7', '192.0.2.7']

describe('a name', () => {
  test('has the addresses of both families, IPv4 first', async () => {
    const { resolve } = await openResolver(serve({ 'hook.test': { addresses: both } }))
    expect(await resolve('hook.test')).toEqual(['192.0.2.7', '2001:db8::7'])
    expect(await resolve('HOOK.test.')).toEqual(['192.0.2.7', '2001:db8::7'])
  })

  test.each([[['192.0.2.7']], [['2001:db8::7']]])('has the addresses %j alone', async addresses => {
    const { resolve } = await openResolver(serve({ 'hook.test': { addresses } }))
    expect(await resolve('hook.test')).toEqual(addresses)
  })

  test('that is an alias has the addresses of its canonical name', async () => {
    const reply = { cname: 'real.test', addresses: both }
    const { resolve } = await openResolver(serve({ 'alias.test': reply }))
    expect(await resolve('alias.test')).toEqual(['192.0.2.7', '2001:db8::7'])
  })

  test('whose other family gets no answer does not wait for it', async () => {
    const { resolve, clock, arrived } = await openResolver(({ type }) =>
      type === 'A' ? { addresses: ['192.0.2.7'] } : undefined,
    )
    const addresses = resolve('hook.test')
    await arrived(2)
    while (clock.pending < 2) await new Promise(done => setImmediate(done))
    clock.advance(50)
    expect(await addresses).toEqual(['192.0.2.7'])
  })

  test.each([
    [{ code: 'not found' }, 'not_found'],
    [{ addresses: [] }, 'not_found'],
    [{ code: 'server failure' }, 'failed'],
  ] as const)('with the reply %j has no address', async (reply, result) => {
    const { resolve, metrics } = await openResolver(() => reply)
    await expect(resolve('hook.test')).rejects.toMatchObject({ name: 'NameLookupError', result })
    expect(metrics.values()).toEqual({ [`dns_lookups_total{result="${result}"}`]: 1 })
  })

  test('without a reply is given up after 4 seconds', async () => {
    const { resolve, clock, arrived } = await openResolver(() => undefined)
    const addresses = resolve('hook.test')
    await arrived(2)
    clock.advance(4000)
    await expect(addresses).rejects.toMatchObject({ result: 'timeout' })
    expect(clock.pending).toBe(0)
  })
})

test('localhost is always loopback', async () => {
  const { resolve, queries } = await openResolver(serve({}))
  for (const name of ['localhost', 'LOCALHOST.', 'a.localhost']) {
    expect(await resolve(name)).toEqual(['127.0.0.1', '::1'])
  }
  expect(queries).toEqual([])
})

describe('an answer', () => {
  test('is cached for as long as its records live', async () => {
    const { resolve, clock, queries, metrics } = await openResolver(() => ({
      addresses: ['192.0.2.7'],
      ttl: 30,
    }))
    await resolve('hook.test')
    clock.advance(29_999)
    await resolve('hook.test')
    expect(queries).toHaveLength(2)
    clock.advance(1)
    await resolve('hook.test')
    expect(queries).toHaveLength(4)
    expect(metrics.values()).toEqual({
      'dns_lookups_total{result="found"}': 2,
      'dns_lookups_total{result="cached"}': 1,
    })
  })

  test.each([
    [{ addresses: ['192.0.2.7'], ttl: 0 }, 1000],
    [{ addresses: ['192.0.2.7'], ttl: 86_400 }, 3_600_000],
    [{ code: 'not found' }, 5000],
    [{ code: 'server failure' }, 1000],
  ] as const)('%j is cached for %i ms', async (reply, milliseconds) => {
    const { resolve, clock, queries } = await openResolver(() => reply)
    const ask = (): Promise<unknown> => resolve('hook.test').catch(error => error)
    await ask()
    const once = queries.length
    clock.advance(milliseconds - 1)
    await ask()
    expect(queries).toHaveLength(once)
    clock.advance(1)
    await ask()
    expect(queries.length).toBeGreaterThan(once)
  })
})

describe('look-ups at once', () => {
  test('of one name share one look-up, also of other accounts', async () => {
    const { resolve, queries } = await openResolver(() => ({ addresses: ['192.0.2.7'] }))
    const all = ['a', 'a', 'b', 'c'].map(account => resolve('hook.test', account))
    expect(await Promise.all(all)).toEqual(Array(4).fill(['192.0.2.7']))
    expect(queries).toHaveLength(2)
  })

  test('are limited for each account; more wait, and leave when they are aborted', async () => {
    const { resolve, clock, queries, arrived } = await openResolver(
      ({ name }) => (name.endsWith('dead.test') ? undefined : { addresses: ['192.0.2.7'] }),
      { lookupsPerAccount: 2 },
    )
    const dead = ['1', '2', '3'].map(name => resolve(`${name}.dead.test`).catch(error => error))
    await arrived(4)
    const abort = new AbortController()
    const aborted = resolve('good.test', 'a', abort.signal)
    expect(await resolve('good.test', 'b')).toEqual(['192.0.2.7'])
    abort.abort(new Error('too late'))
    await expect(aborted).rejects.toThrow('too late')
    expect(queries.filter(({ name }) => name === '3.dead.test')).toEqual([])
    clock.advance(4000)
    await Promise.all(dead.slice(0, 2))
    while (!queries.some(({ name }) => name === '3.dead.test')) await arrived(queries.length + 1)
    clock.advance(4000)
    expect(await dead[2]).toMatchObject({ result: 'timeout' })
  })
})
