import { spawnSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RelayClient } from '../../../src/index.js'
import { openLog } from '../../../src/server/log/open-log.js'
import { metricDefinitions } from '../../../src/server/monitoring/metric-definitions.js'
import { createClock } from '../../../src/util/async/clock.js'
import { isInstalled } from '../../installed.js'
import { projectRoot, readText } from '../../source-tree.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { isFullRun } from '../../tier.js'
import { newDirectory, openRelay } from '../admin/rig.js'
import { openPipe } from '../log/unread-pipe.js'
import { draft, runRelay } from '../running-relay.js'
import { startPrometheus } from './prometheus-server.js'
import { runDamagedRelay, runGrowingRelay } from './store-trouble.js'

const hasPromtool = isInstalled('promtool', 'the alert rules')
const hasPrometheus =
  isInstalled('prometheus', 'the alerts of real relays') &&
  isInstalled('openssl', 'the alerts of real relays')

const metricsPort = 0
const minute = 60_000

/** A relay to which everything happens that needs no other disk; `cause` makes it happen. */
async function runTroubledRelay() {
  const { stream } = await openPipe()
  const log = openLog({ stream, level: 'info', format: 'json', clock: createClock() })
  onTestFinished(async () => await log[Symbol.asyncDispose]())
  let shift = 0
  const now = () => Date.now() + shift
  const { relay, account, api } = await runRelay({ metricsPort }, { log, now })
  const { secret_key: user, api_key: password } = account
  const client = new RelayClient({ url: relay.url, credentials: { user, password } })
  const subscription = { event: 'message.create', url: 'http://127.0.0.1:9/' } as const
  const cause = async () => {
    await client.subscriptions.create(subscription)
    const { id } = await client.subscriptions.create(subscription)
    await client.subscriptions.pause(id)
    // Nobody reads the log.
    for (let line = 0; log.dropped === 0; line += 1) log.write('info', 'x', `Line ${line}.`)
    await api.post('/message', { message: draft })
    shift = 11 * minute
  }
  return { url: relay.metricsUrl ?? '', cause }
}

/** A relay with a certificate that ends in a week. */
async function runRelayWithOldCertificate() {
  const folder = await temporaryFolder()
  const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const names = ['-days', '7', '-subj', '/CN=localhost', '-keyout', tlsKey, '-out', tlsCert]
  spawnSync('openssl', ['req', '-x509', ...kind, ...names])
  const relay = await openRelay(await newDirectory(), {}, { metricsPort, tlsCert, tlsKey })
  await relay.start()
  return { url: relay.metricsUrl ?? '', relay }
}

function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test.runIf(hasPrometheus && isFullRun)(
  'Prometheus fires an alert for each condition of a relay',
  async () => {
    const troubled = await runTroubledRelay()
    const old = await runRelayWithOldCertificate()
    const damaged = await runDamagedRelay({ metricsPort })
    const growing = await runGrowingRelay({ metricsPort })
    const gone = await runRelay({ metricsPort })
    const urls = [damaged, gone].map(({ relay }) => relay.metricsUrl ?? '')
    const prometheus = await startPrometheus([troubled.url, old.url, growing.url, ...urls])
    // A machine under load can cause these.
    const others = new Set(['SmsrelayDown', 'SmsrelayEventLoopBusy'])
    const listFired = async () => (await prometheus.listFired()).filter(name => !others.has(name))
    // One relay has a message already.
    expect(await listFired()).toEqual(['SmsrelayCertificateExpires', 'SmsrelayNoPhone'])

    await damaged.beginCompaction()
    await rm(gone.dataDir, { recursive: true })
    await troubled.cause()
    await growing.grow()
    await expect
      .poll(listFired)
      .toEqual([
        'SmsrelayCertificateExpires',
        'SmsrelayJournalGrows',
        'SmsrelayLogLinesDropped',
        'SmsrelayMessagesWaitTooLong',
        'SmsrelayNoPhone',
        'SmsrelayNotReady',
        'SmsrelayStoreDamaged',
        'SmsrelayStoreNotWritable',
        'SmsrelaySubscriptionPaused',
        'SmsrelayWebhooksFail',
      ])

    await expect
      .poll(async () => {
        block(600)
        return await prometheus.listFired()
      })
      .toContain('SmsrelayEventLoopBusy')

    await old.relay.stop()
    const down = `ALERTS{alertname="SmsrelayDown",instance="${new URL(old.url).host}"}`
    await expect.poll(async () => await prometheus.query(down)).toHaveLength(1)
  },
  300_000,
)

interface Condition {
  readonly alert: string
  /** Values of series from the start on, once a minute. */
  readonly series: Readonly<Record<string, string>>
  /** Minutes after which the alert fires. */
  readonly after: number
}

const conditions: readonly Condition[] = [
  { alert: 'SmsrelayDown', series: { 'up{job="smsrelay"}': '0x60' }, after: 2 },
  { alert: 'SmsrelayNotReady', series: { smsrelay_ready: '0x60' }, after: 1 },
  { alert: 'SmsrelayStoreNotWritable', series: { smsrelay_store_writable: '0x60' }, after: 1 },
  { alert: 'SmsrelayDiskFills', series: { smsrelay_store_free_bytes: '200e6x60' }, after: 5 },
  {
    alert: 'SmsrelayDiskFills',
    series: { smsrelay_store_free_bytes: '900e6x60', smsrelay_store_snapshot_bytes: '500e6x60' },
    after: 5,
  },
  { alert: 'SmsrelayStoreDamaged', series: { smsrelay_store_damaged: '1x60' }, after: 0 },
  {
    alert: 'SmsrelayMessagesWaitTooLong',
    series: { smsrelay_oldest_due_age_seconds: '601x60' },
    after: 1,
  },
  {
    alert: 'SmsrelayNoPhone',
    series: { 'smsrelay_phones{state="alive"}': '0x60', 'smsrelay_messages{state="due"}': '1x60' },
    after: 5,
  },
  {
    alert: 'SmsrelayWebhooksFail',
    series: { 'smsrelay_webhook_lag_seconds{state="retrying"}': '601x60' },
    after: 5,
  },
  {
    alert: 'SmsrelaySubscriptionPaused',
    series: { 'smsrelay_webhook_backlog_events{state="paused"}': '1x60' },
    after: 15,
  },
  {
    alert: 'SmsrelayJournalGrows',
    series: { smsrelay_store_journal_bytes: '70e6x60', smsrelay_store_snapshot_bytes: '30e6x60' },
    after: 15,
  },
  {
    alert: 'SmsrelayEventLoopBusy',
    series: { 'nodejs_eventloop_lag_p99_seconds{job="smsrelay"}': '0.6x60' },
    after: 5,
  },
  {
    alert: 'SmsrelayCertificateExpires',
    // The time of these tests begins with 1970.
    series: { 'smsrelay_tls_certificate_expiry_timestamp_seconds{use="https"}': '1e6x90' },
    after: 60,
  },
  { alert: 'SmsrelayLogLinesDropped', series: { smsrelay_log_dropped_total: '0 5x60' }, after: 1 },
]

/** Values of a relay that needs no attention. */
const healthy: Condition['series'] = {
  'up{job="smsrelay"}': '1x120',
  smsrelay_ready: '1x120',
  smsrelay_store_writable: '1x120',
  smsrelay_store_free_bytes: '2e9x120',
  smsrelay_store_damaged: '0x120',
  smsrelay_oldest_due_age_seconds: '500x120',
  'smsrelay_phones{state="alive"}': '1x120',
  'smsrelay_messages{state="due"}': '9x120',
  'smsrelay_webhook_lag_seconds{state="retrying"}': '500x120',
  'smsrelay_webhook_backlog_events{state="paused"}': '0x120',
  smsrelay_store_journal_bytes: '70e6x120',
  smsrelay_store_snapshot_bytes: '600e6x120',
  'nodejs_eventloop_lag_p99_seconds{job="smsrelay"}': '0.1x120',
  'smsrelay_tls_certificate_expiry_timestamp_seconds{use="https"}': '2e6x120',
  smsrelay_log_dropped_total: '5x120',
}

/** A test of `promtool`: which alerts fire after so many minutes. */
function toRuleTest(series: Condition['series'], expected: Readonly<Record<number, string[]>>) {
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: Object.entries(expected).map(([minutes, alerts]) => ({
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: `${minutes}m`,
      exp_samples: alerts.map(name => ({ labels: `{alertname="${name}"}`, value: 1 })),
    })),
  }
}

test.runIf(hasPromtool)(
  'each alert fires after its time, and none for a healthy relay',
  async () => {
    const file = join(await temporaryFolder(), 'tests.json')
    const tests = conditions.map(({ alert, series, after }) =>
      toRuleTest(series, { ...(after > 0 ? { [after - 1]: [] } : {}), [after]: [alert] }),
    )
    const content = {
      rule_files: [join(projectRoot, 'docs/operate/alert-rules.yaml')],
      evaluation_interval: '1m',
      tests: [...tests, toRuleTest(healthy, { 0: [], 60: [], 119: [] })],
    }
    await writeFile(file, JSON.stringify(content))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file])
    expect(`${stdout}${stderr}`).toContain('SUCCESS')
    expect(status).toBe(0)
  },
)

test('every rule has a condition, and every condition metrics of a relay', () => {
  const rules = readText('docs/operate/alert-rules.yaml')
  const names = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name)
  expect([...new Set(conditions.map(({ alert }) => alert))].sort()).toEqual(names.sort())
  const known = new Set(metricDefinitions.map(({ name }) => `smsrelay_${name}`))
  const used = [...conditions.map(({ series }) => series), healthy]
    .flatMap(series => Object.keys(series))
    .map(name => name.replace(/\{.*/, ''))
    .filter(name => name.startsWith('smsrelay_'))
  expect(used.filter(name => !known.has(name))).toEqual([])
})
