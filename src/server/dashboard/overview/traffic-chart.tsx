import type { Statistics } from '../../services/statistics-service.js'
import type { SpanUnit } from '../charts/time-axis.js'
import { SpanTable, TrafficBars } from '../charts/traffic-bars.js'
import { Card, CardBody } from '../components/card.js'
import { type Html, h } from '../components/html.js'
import { formatZone } from '../page/page-times.js'

/** What the overview's chart shows: 48 hours or 90 days. */
export type Period = 'hours' | 'days'

export interface TrafficChartProps {
  readonly statistics: Statistics
  readonly period: Period
  readonly zone: string
  /** Minutes by which the clock of the chart is ahead of UTC. */
  readonly offset: number
}

export function TrafficChart({ statistics, period, zone, offset }: TrafficChartProps): Html {
  const toLocal = (at: number): string => new Date(at + offset * 60_000).toISOString()
  const clock = { toLocal, zone: formatZone(zone) }
  const unit: SpanUnit = period === 'hours' ? 'hour' : 'day'
  const spans = statistics[period]
  return (
    <Card
      title={`Sent and failed by ${unit}`}
      id="traffic"
      aside={<PeriodChoice period={period} />}
      footer={<a href="/statistics">All statistics</a>}
    >
      <CardBody>
        <TrafficBars {...{ spans, unit, clock }} end="now" />
        <details class="disclosure" id="traffic-table">
          <summary>Show as a table</summary>
          <SpanTable {...{ spans, unit, clock }} />
        </details>
      </CardBody>
    </Card>
  )
}

function PeriodChoice({ period }: { readonly period: Period }): Html {
  return (
    <nav class="choice" aria-label="Period shown">
      <a href="/" aria-current={period === 'hours' ? 'true' : undefined}>
        48 hours
      </a>
      <a href="/?period=days" aria-current={period === 'days' ? 'true' : undefined}>
        90 days
      </a>
    </nav>
  )
}
