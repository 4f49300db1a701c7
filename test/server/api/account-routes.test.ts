import { describe, expect, onTestFinished, test } from 'vitest'
import type { NewAccount, Relay, RelaySettings } from '../../../src/index.js'
import type { RelayOverrides } from '../../../src/server/open-relay.js'
import { defaultPasswordCost } from '../../../src/util/crypto/password-hash.js'
import { basic, request, signInCaller } from '../../conformance/calls.js'
import { createRelay } from '../../quick-relay.js'
import { temporaryFolder } from '../../temporary-folder.js'

async function start(
  settings: Partial<RelaySettings> = {},
  overrides: RelayOverrides = {},
): Promise<{ readonly relay: Relay; readonly account: NewAccount }> {
  const dataDir = await temporaryFolder()
  const relay = await createRelay({ dataDir, port: 0, ...settings }, overrides)
  onTestFinished(async () => await relay.stop())
  await relay.start()
  const account = await relay.administration.createAccount({ email: 'ann@example.com' })
  return { relay, account }
}

function signIn(relay: Relay, name: string, password: string, forwarded?: string) {
  const proxied: Record<string, string> =
    forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const headers = { authorization: basic(name, password), ...proxied }
  return request(`${relay.url}/oauth`, 'GET', { headers })
}

test('a request without a token may have 8 KiB, and gets 413 for more', async () => {
  const { relay } = await start()
  const revoke = (size: number) =>
    request(`${relay.url}/oauth/revoke`, 'POST', {
      body: new URLSearchParams({ token: 'x'.repeat(size - 'token='.length) }),
    })
  expect((await revoke(8192)).status).toBe(200)
  expect((await revoke(8193)).status).toBe(413)
})

test('a reply with keys is not cached', async () => {
  const { relay, account } = await start()
  const user = await signInCaller(relay.url, account.email, account.password)
  expect((await user.get('/user/app')).headers.get('cache-control')).toBe('no-store')
})

describe('wrong credentials at /oauth', () => {
  test('get 429 after ten failures, the right key too, until Retry-After is over', async () => {
    const clock = { now: Date.UTC(2030, 0, 1) }
    const { relay, account } = await start({}, { now: () => clock.now })
    const { secret_key: name, api_key: key } = account
    for (let n = 0; n < 10; n += 1) expect((await signIn(relay, name, 'guess')).status).toBe(401)
    const refused = await signIn(relay, name, key)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.body.error).toBe('too_many_requests')
    clock.now += 1000
    const issued = await signIn(relay, name, key)
    expect(issued.status).toBe(200)
    expect(issued.headers.get('cache-control')).toBe('no-store')
  })

  test('leave issued tokens valid', async () => {
    const { relay, account } = await start()
    const api = await signInCaller(relay.url, account.secret_key, account.api_key)
    for (let n = 0; n < 12; n += 1) await signIn(relay, account.secret_key, 'guess')
    expect((await api.get('/user')).status).toBe(200)
  })

  test('are counted by connection without a trusted proxy, with one warning', async () => {
    const warnings: string[] = []
    const { relay, account } = await start({}, { warn: sentence => warnings.push(sentence) })
    const statuses: number[] = []
    for (let n = 0; n < 11; n += 1) {
      statuses.push((await signIn(relay, account.secret_key, 'guess', `192.0.2.${n}`)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    expect(warnings.filter(sentence => sentence.includes('--trust-proxy'))).toHaveLength(1)
  })

  const viaCdn = (client: string, forged: string) => `${forged}, ${client}, 203.0.113.7:4711`
  test.each([
    [true, (client: string, forged: string) => `${forged}, ${client}`],
    [2, viaCdn],
    ['2', viaCdn],
    ['loopback, 203.0.113.0/24', viaCdn],
    ['127.0.0.1,::1,203.0.113.7', viaCdn],
  ])('are counted by the client that the proxies %s name', async (trustProxy, format) => {
    const { relay, account } = await start({ trustProxy })
    const { secret_key: name, api_key: key } = account
    for (let n = 0; n < 10; n += 1) {
      const status = (await signIn(relay, name, 'guess', format('198.51.100.7', `192.0.2.${n}`)))
        .status
      expect(status).toBe(401)
    }
    expect((await signIn(relay, name, key, format('198.51.100.7', '192.0.2.77'))).status).toBe(429)
    expect((await signIn(relay, name, key, format('192.0.2.77', '198.51.100.7'))).status).toBe(200)
  })

  test('are counted by connection if the proxy is not one of those trusted', async () => {
    const { relay, account } = await start({ trustProxy: '203.0.113.0/24' })
    for (let n = 0; n < 10; n += 1) await signIn(relay, account.secret_key, 'guess', `192.0.2.${n}`)
    expect((await signIn(relay, account.secret_key, 'guess', '192.0.2.77')).status).toBe(429)
  })

  test('with passwords are checked a few at once; the others get 503', async () => {
    const { relay, account } = await start(
      { trustProxy: true },
      { passwordCost: defaultPasswordCost },
    )
    const tries = Array.from({ length: 60 }, (_, n) =>
      signIn(relay, account.email, 'wrong horse', `192.0.2.${n}`),
    )
    const replies = await Promise.all(tries)
    const count = (status: number) => replies.filter(reply => reply.status === status).length
    expect(count(401) + count(503)).toBe(60)
    expect(count(401)).toBeGreaterThanOrEqual(18)
    expect(count(503)).toBeGreaterThan(0)
    const busy = replies.find(reply => reply.status === 503)
    expect(busy?.headers.get('retry-after')).toBe('1')
    expect(busy?.body.error).toBe('unavailable')
    expect((await signIn(relay, account.email, account.password, '192.0.2.99')).status).toBe(200)
  })
})
