import { collectDefaultMetrics, type Metric, Registry, register } from 'prom-client'
import type { Histogram } from '../../util/collections/histogram.js'
import type { Metrics } from '../../util/collections/metrics.js'
import { listKeys, type MetricDefinition, metricDefinitions } from './metric-definitions.js'

interface Sample {
  readonly metricName?: string
  readonly labels: Record<string, string>
  readonly value: number
}

const prefix = 'smsrelay_'

/** Gauges of prom-client whose names end like those of counters, which `promtool` rejects. */
const misnamed = ['handles', 'requests', 'resources'].map(name => `nodejs_active_${name}_total`)

/**
 * Creates the function that formats metrics for Prometheus. The values stay plain numbers in
 * `metrics` until then: an update of prom-client takes a hundred times as long.
 */
export function createPrometheusFormat(metrics: Metrics): () => Promise<string> {
  measureProcess()
  startCounters(metrics)
  const registry = new Registry()
  for (const definition of metricDefinitions) {
    registry.registerMetric(toMetric(definition, () => listSamples(metrics, definition)))
  }
  return async () => `${await registry.metrics()}\n${await register.metrics()}`
}

/** For Prometheus, a counter must exist before its first increase, which is lost otherwise. */
function startCounters(metrics: Metrics): void {
  for (const definition of metricDefinitions) {
    if (definition.type !== 'counter' || definition.only !== undefined) continue
    for (const key of listKeys(definition)) metrics.increment(key, 0)
  }
}

/** Metrics of Node and of the process are the same for all relays in it. */
function measureProcess(): void {
  if (register.getMetricsAsArray().length > 0) return
  collectDefaultMetrics()
  for (const name of misnamed) register.removeSingleMetric(name)
}

function toMetric({ name, type, help }: MetricDefinition, list: () => Sample[]): Metric {
  const metric = { name: prefix + name, type, help, aggregator: 'sum' }
  const get = async () => ({ ...metric, values: list() })
  // For Prometheus, all that a registry uses of a metric.
  return { name: metric.name, get } as unknown as Metric
}

function listSamples(metrics: Metrics, { name, type }: MetricDefinition): Sample[] {
  if (type === 'histogram') {
    return [...metrics.histograms()].flatMap(([key, histogram]) => {
      const { name: found, labels } = parseKey(key)
      return found === name ? toBuckets(prefix + name, labels, histogram) : []
    })
  }
  return Object.entries(metrics.values()).flatMap(([key, value]) => {
    const { name: found, labels } = parseKey(key)
    return found === name ? [{ labels, value }] : []
  })
}

function toBuckets(name: string, labels: Sample['labels'], histogram: Histogram): Sample[] {
  const { bounds, counts, sum } = histogram
  let total = 0
  const buckets = counts.map((count, at) => {
    total += count
    const le = at < bounds.length ? `${bounds[at]}` : '+Inf'
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: total }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ]
}

/** Splits the name of a value for Prometheus, such as `errors_total{kind="mail"}`. */
function parseKey(key: string): { name: string; labels: Record<string, string> } {
  const [name = '', list = ''] = key.split('{')
  const labels = [...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value])
  return { name, labels: Object.fromEntries(labels) }
}
