import { expect, test } from 'vitest'
import {
  type MetricDefinition,
  metricDefinitions,
} from '../../../src/server/monitoring/metric-definitions.js'
import { readText } from '../../source-tree.js'

const page = readText('docs/operate/monitoring.md')

function formatRow({ name, type, help, labels, only }: MetricDefinition): string {
  const described = Object.entries(labels).map(([label, values]) =>
    values.length === 0 ? `\`${label}\`` : `\`${label}\`: ${values.join(', ')}`,
  )
  const note = only === undefined ? '' : ` Only with a ${only}.`
  return `| \`smsrelay_${name}\` | ${type} | ${described.join('; ')} | ${help}${note} |`
}

test('the table of metrics is that of the program', () => {
  const table = /<!-- metrics -->\n([\s\S]*?)<!-- \/metrics -->/.exec(page)?.[1]
  const rows = metricDefinitions.map(formatRow)
  const head = ['| Metric | Type | Labels | Meaning |', '|---|---|---|---|']
  expect(table).toBe(`${[...head, ...rows].join('\n')}\n`)
})
