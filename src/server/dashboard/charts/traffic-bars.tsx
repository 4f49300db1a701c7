import type { CountedSpan } from '../../services/statistics-service.js'
import { Fragment, type Html, h } from '../components/html.js'
import { BarChart, Legend } from './bar-chart.js'
import { CountTable, messageCountColumns } from './count-table.js'
import { type ChartClock, formatSpan, formatSpans, listTicks, type SpanUnit } from './time-axis.js'

interface SpansProps {
  readonly spans: readonly CountedSpan[]
  readonly unit: SpanUnit
  readonly clock: ChartClock
}

/** The dashboard's chart of sent and failed messages. @param props.end name of the right end */
export function TrafficBars(props: SpansProps & { readonly end?: string }): Html {
  const { spans, unit, clock, end } = props
  const series = [
    { name: 'Sent', tone: 'good', sum: sum(spans, 'sent') },
    { name: 'Failed', tone: 'bad', sum: sum(spans, 'failed') },
  ] as const
  return (
    <>
      <Legend series={series} />
      <BarChart
        label={describeSpans(spans, unit, clock)}
        series={series}
        bars={spans.map(({ sent, failed }) => [sent, failed])}
        ticks={listTicks(spans, unit, clock, end)}
      />
    </>
  )
}

export function SpanTable({ spans, unit, clock }: SpansProps): Html {
  const names = formatSpans(spans, unit, clock)
  return (
    <CountTable
      caption="Messages, latest first"
      head={`From (${clock.zone})`}
      columns={messageCountColumns}
      rows={spans.map((span, at) => [names[at] ?? '', span] as const).toReversed()}
    />
  )
}

function describeSpans(spans: readonly CountedSpan[], unit: SpanUnit, clock: ChartClock): string {
  const most = spans.reduce((a, b) => (b.sent > a.sent ? b : a))
  const worst = spans.reduce((a, b) => (b.failed > a.failed ? b : a))
  const place = (span: CountedSpan): string => formatSpan(span, unit, clock)
  const peak = most.sent === 0 ? '' : ` Most were sent at ${place(most)}: ${most.sent}.`
  const faults = worst.failed === 0 ? '' : ` Most failed at ${place(worst)}: ${worst.failed}.`
  return `Messages sent and failed in each of ${spans.length} ${unit}s.${peak}${faults}`
}

function sum(spans: readonly CountedSpan[], name: 'sent' | 'failed'): number {
  return spans.reduce((total, span) => total + span[name], 0)
}
