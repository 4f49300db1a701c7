import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { RelayClient } from '../../../src/index.js'
import { openLog } from '../../../src/server/log/open-log.js'
import { metricDefinitions } from '../../../src/server/monitoring/metric-definitions.js'
import { createClock } from '../../../src/util/async/clock.js'
import { postBatch, readResults } from '../../conformance/extensions/batches/batch-rig.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { openPipe } from '../log/unread-pipe.js'
import { draft, runRelay } from '../running-relay.js'
import { openMigratedDatabase } from '../store/postgres/test-postgres.js'
import { scrape } from './scrape.js'

const token = 'a-token-for-metrics'

/** The settings of a relay on one of the stores, with a port for metrics. */
const stores = {
  'a data directory': async () => ({}),
  'a database': async () => ({
    dataDir: undefined,
    database: { url: await openMigratedDatabase() },
  }),
}

const runMonitored = async (settings: object = {}, overrides: object = {}) => {
  const running = await runRelay({ metricsPort: 0, ...settings }, overrides)
  return { ...running, metrics: async () => await scrape(running.relay.metricsUrl ?? '') }
}

test('without a port and a token there are no metrics', async () => {
  const { relay } = await runRelay()
  expect(relay.metricsUrl).toBeUndefined()
  expect((await fetch(`${relay.url}/metrics`)).status).toBe(404)
})

test('the relay’s own port serves metrics only to the bearer of the token', async () => {
  const { relay } = await runRelay({ metricsToken: token })
  const get = async (authorization?: string) =>
    await fetch(`${relay.url}/metrics`, authorization ? { headers: { authorization } } : {})
  expect((await get()).status).toBe(401)
  expect((await get('Bearer another-token-here')).status).toBe(401)
  expect((await get(`Basic ${token}`)).headers.get('www-authenticate')).toContain('Bearer')
  const reply = await get(`Bearer ${token}`)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toContain('version=0.0.4')
  expect(await reply.text()).toContain('smsrelay_build_info{')
})

test('a port of its own serves metrics and health on loopback, and nothing else', async () => {
  const { relay } = await runMonitored()
  expect(relay.metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  const base = new URL('/', relay.metricsUrl)
  const get = async (path: string) => (await fetch(new URL(path, base))).status
  expect(await Promise.all(['/metrics', '/healthz', '/readyz'].map(get))).toEqual([200, 200, 200])
  expect(await Promise.all(['/', '/login', '/api/1/user'].map(get))).toEqual([404, 404, 404])
  expect((await fetch(`${relay.url}/metrics`)).status).toBe(404)
})

test.each([
  [{ metricsPort: 70_000 }, 'metrics-port'],
  [{ metricsToken: 'short' }, 'openssl'],
])('the settings %o are refused', async (settings, text) => {
  const error = await runRelay(settings).catch(caught => caught)
  expect(error).toMatchObject({ code: 'usage' })
  expect(`${error.message} ${error.hint}`).toContain(text)
})

test('while the relay stops, the port of metrics says that it is alive and draining', async () => {
  const { relay } = await runMonitored()
  const { port, hostname } = new URL(relay.url)
  const base = new URL('/', relay.metricsUrl)
  const count = async () => (await scrape(`${base}metrics`)).get('http_connections') ?? 0
  const before = await count()
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const head = 'Host: localhost\r\nContent-Length: 9\r\nExpect: 100-continue'
  socket.write(`POST /login HTTP/1.1\r\n${head}\r\n\r\n`)
  expect(String((await once(socket, 'data'))[0])).toContain('100 Continue')
  expect(await count()).toBe(before + 1)
  const stopped = relay.stop()
  expect((await fetch(new URL('/healthz', base))).status).toBe(200)
  const reply = await fetch(new URL('/readyz', base))
  expect(reply.status).toBe(503)
  expect(await reply.json()).toMatchObject({ failed: [{ check: 'draining' }] })
  socket.destroy()
  await stopped
  await expect(fetch(base)).rejects.toThrow()
})

describe.each(Object.entries(stores))('on %s', (name, getSettings) => {
  test('the life of a message is counted', async () => {
    const { api, phone, metrics } = await runMonitored(await getSettings())
    const batch = [draft, { ...draft, message: 'two' }]
    await api.post('/message', { message: draft })
    await readResults(postBatch(api, '/message/batch', batch))
    await api.post('/message', { message: { ...draft, send_on: '2999-01-01 00:00:00' } })
    const before = await metrics()
    expect(before.get('messages_accepted_total{source="api"}')).toBe(4)
    expect(before.get('messages{state="due"}')).toBe(3)
    expect(before.get('messages{state="scheduled"}')).toBe(1)
    expect(before.get('oldest_due_age_seconds')).toBeGreaterThan(0)
    const { body } = await phone.next()
    expect((await metrics()).get('messages{state="leased"}')).toBe(1)
    await phone.put(`/message/${body.message.id}/success`, { parts: 1 })
    const after = await metrics()
    expect(after.get('messages{state="due"}')).toBe(2)
    expect(after.get('messages_settled_total{status="sent"}')).toBe(1)
    expect(after.get('messages_settled_total{status="failed"}')).toBe(0)
    expect(after.get('dispatch_delay_seconds_count')).toBe(1)
    expect(after.get('phones{state="alive"}')).toBe(1)
    const posts = 'http_requests_total{method="POST",route="/api/1/message",status="200"}'
    expect(after.get(posts)).toBe(2)
    const commits = after.get('store_commit_group_size_count') ?? 0
    expect(commits).toBeGreaterThan(2)
    expect(after.get('store_commit_duration_seconds_count')).toBe(commits)
  })

  test('every metric of the list with a value at the start is in a scrape', async () => {
    const { metrics } = await runMonitored(await getSettings())
    await metrics()
    const found = await metrics()
    const names = new Set([...found.keys()].map(key => key.split('{')[0]))
    const store = name === 'a database' ? 'database' : 'data directory'
    const expected = metricDefinitions.filter(({ only = store }) => only === store)
    const missing = expected
      .map(({ name, type }) => (type === 'histogram' ? `${name}_bucket` : name))
      .filter(each => !names.has(each))
    expect(missing).toEqual([])
  })

  test('changes of all records are commits', async () => {
    const { relay, account, metrics } = await runMonitored(await getSettings())
    const { secret_key: user, api_key: password } = account
    const client = new RelayClient({ url: relay.url, credentials: { user, password } })
    const count = async () => (await metrics()).get('store_commit_group_size_count') ?? 0
    const before = await count()
    const url = 'http://127.0.0.1:9/'
    for (const event of ['message.sent', 'message.failed', 'message.blocked'] as const) {
      await client.subscriptions.create({ event, url })
    }
    expect((await count()) - before).toBeGreaterThanOrEqual(3)
  })

  test('a waiting NEXT is a gauge, and its wait is not part of the duration', async () => {
    const clock = new FakeClock()
    const { phone, metrics } = await runMonitored(await getSettings(), { clock })
    const reply = phone.next({ headers: { prefer: 'wait=2' } })
    await expect.poll(async () => (await metrics()).get('next_waiting')).toBe(1)
    clock.advance(2000)
    await reply
    const found = await metrics()
    expect(found.get('next_waiting')).toBe(0)
    const labels = '{method="NEXT",route="/api/1/message"}'
    expect(found.get(`http_request_duration_seconds_count${labels}`)).toBe(1)
    expect(found.get(`http_request_duration_seconds_sum${labels}`)).toBeLessThan(1.9)
  })

  test('a webhook that fails is a backlog with a lag', async () => {
    const { relay, account, api, metrics } = await runMonitored(await getSettings())
    const { secret_key: user, api_key: password } = account
    const client = new RelayClient({ url: relay.url, credentials: { user, password } })
    const url = 'http://127.0.0.1:9/'
    const { id } = await client.subscriptions.create({ event: 'message.create', url })
    await api.post('/message', { message: draft })
    const backlog = async (key: string) => (await metrics()).get(key)
    await expect.poll(() => backlog('webhook_backlog_events{state="retrying"}')).toBe(1)
    expect(await backlog('webhook_lag_seconds{state="retrying"}')).toBeGreaterThan(0)
    expect(await backlog('webhook_deliveries_total{outcome="failed"}')).toBeGreaterThan(0)
    await client.subscriptions.pause(id)
    expect(await backlog('webhook_backlog_events{state="paused"}')).toBe(1)
    expect(await backlog('webhook_backlog_events{state="retrying"}')).toBe(0)
  })
})

test('lines that the log drops are counted', async () => {
  const { stream } = await openPipe()
  await using log = openLog({ stream, level: 'info', format: 'json', clock: createClock() })
  const { metrics } = await runMonitored({}, { log })
  expect((await metrics()).get('log_dropped_total')).toBe(0)
  for (let count = 0; count < 20_000; count += 1) log.write('info', 'x', 'A line.', { url: 'u' })
  expect(log.dropped).toBeGreaterThan(1000)
  expect((await metrics()).get('log_dropped_total')).toBe(log.dropped)
})

test('labels hold no path, account, number or text', async () => {
  const { relay, api, account, metrics } = await runMonitored()
  const { body } = await api.post('/message', { message: draft })
  await api.get(`/message/${body.message.id}`)
  await fetch(`${relay.url}/u/secret-of-a-url`)
  await fetch(`${relay.url}/no/such/${account.secret_key}`)
  await fetch(`${relay.url}/assets/x/secret-of-a-url`, { method: 'PURGE' })
  const keys = [...(await metrics()).keys()].join('\n')
  expect(keys).toContain('{method="GET",route="/api/1/message/:id",status="200"}')
  expect(keys).toContain('{method="GET",route="none",status="404"}')
  expect(keys).toContain('method="other"')
  for (const planted of [
    body.message.id,
    'secret-of',
    account.secret_key,
    account.email,
    '5550143',
  ])
    expect(keys).not.toContain(planted)
})
