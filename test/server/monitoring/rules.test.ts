import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { metricDefinitions } from '../../../src/server/monitoring/metric-definitions.js'
import { readText } from '../../source-tree.js'
import { runRelay } from '../running-relay.js'

const rules = readText('docs/operate/alert-rules.yaml')
const dashboard = readText('docs/operate/grafana-dashboard.json')
const hasPromtool = spawnSync('promtool', ['--version']).status === 0

const fetchMetrics = async (): Promise<string> => {
  const { relay } = await runRelay({ metricsPort: 0 })
  return await (await fetch(relay.metricsUrl ?? '')).text()
}

test('every metric of the dashboard and the alert rules exists', async () => {
  const text = await fetchMetrics()
  const queries = JSON.parse(dashboard).panels.flatMap((panel: { targets: { expr: string }[] }) =>
    panel.targets.map(({ expr }) => expr),
  )
  const used = `${queries.join('\n')}\n${rules}`.matchAll(/\b(?:smsrelay|nodejs|process)_\w+/g)
  const others = metricDefinitions.filter(({ only }) => only && only !== 'data directory')
  const known = new Set(others.map(({ name }) => `smsrelay_${name}`))
  const missing = [...new Set([...used].map(([name]) => name))].filter(name => {
    const base = name.replace(/_bucket$/, '')
    return !known.has(base) && !text.includes(`# TYPE ${base} `)
  })
  expect(missing).toEqual([])
})

test('the page says what to do for each alert', () => {
  const page = readText('docs/operate/monitoring.md')
  const names = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter(name => !page.includes(`| \`${name}\` |`))).toEqual([])
})

test.skipIf(!hasPromtool)('promtool accepts the metrics and the alert rules', async () => {
  const run = (parameters: readonly string[], input = '') =>
    spawnSync('promtool', parameters, { input, encoding: 'utf8' })
  const checked = run(['check', 'metrics'], await fetchMetrics())
  expect(`${checked.stdout}${checked.stderr}`).toBe('')
  expect(checked.status).toBe(0)
  const { status, stderr } = run(['check', 'rules', 'docs/operate/alert-rules.yaml'])
  expect(stderr).toBe('')
  expect(status).toBe(0)
})
