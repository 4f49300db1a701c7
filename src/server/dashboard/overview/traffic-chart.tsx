import type { CountedSpan, Statistics } from '../../services/statistics-service.js'
import { Card, CardBody } from '../components/card.js'
import { Fragment, type Html, h } from '../components/html.js'
import { formatDate } from '../page/page-times.js'

/** What the overview's chart shows: 48 hours or 90 days. */
export type Period = 'hours' | 'days'

const minute = 60_000

export interface TrafficChartProps {
  readonly statistics: Statistics
  readonly period: Period
  /** Minutes by which the clock of the chart is ahead of UTC. */
  readonly offset: number
  /** Name of the time zone of the chart. */
  readonly zone: string
}

/** The overview's chart of sent and failed messages, drawn by the server, with its table. */
export function TrafficChart({ statistics, period, offset, zone }: TrafficChartProps): Html {
  const spans = statistics[period]
  const isHours = period === 'hours'
  const title = isHours ? 'Sent and failed by hour' : 'Sent and failed by day'
  return (
    <Card title={title} id="traffic" aside={<PeriodChoice period={period} />}>
      <CardBody>
        <p class="legend">
          <Legend tone="good" text={`Sent, ${formatCount(sum(spans, 'sent'))}`} />
          <Legend tone="bad" text={`Failed, ${formatCount(sum(spans, 'failed'))}`} />
        </p>
        <Bars spans={spans} offset={offset} isHours={isHours} />
        <details class="disclosure" id="traffic-table">
          <summary>Show as a table</summary>
          <SpanTable spans={spans} offset={offset} isHours={isHours} zone={zone} />
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

function Legend({ tone, text }: { readonly tone: 'good' | 'bad'; text: string }): Html {
  return (
    <span>
      <i class={`swatch ${tone}`} />
      {text}
    </span>
  )
}

interface SpansProps {
  readonly spans: readonly CountedSpan[]
  readonly offset: number
  readonly isHours: boolean
}

/** Size of the drawing; the browser stretches it. */
const width = 480
const height = 120
/** Part of a span's width that its bar takes. */
const barWidth = 0.76
const minFailedHeight = 1.5

function Bars({ spans, offset, isHours }: SpansProps): Html {
  const top = findTop(Math.max(...spans.map(({ sent, failed }) => sent + failed)))
  const step = width / spans.length
  const quarters = [0, 0.25, 0.5, 0.75].map(part => spans[Math.floor(part * spans.length)])
  return (
    <figure class="chart">
      <div class="scale" aria-hidden="true">
        {[top, top / 2, 0].map(value => (
          <span>{formatCount(value)}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describeSpans(spans, offset, isHours)}
      >
        <path class="grid" d="M0 .5h480M0 60h480M0 119.5h480" />
        {spans.map((span, at) => (
          <Bar span={span} x={(at + (1 - barWidth) / 2) * step} step={step} top={top} />
        ))}
      </svg>
      <div class="hours" aria-hidden="true">
        {quarters.map((span, at) => (
          <span>{span && formatTick(span, offset, isHours && at % 2 === 1)}</span>
        ))}
        <span>now</span>
      </div>
    </figure>
  )
}

function Bar(props: { span: CountedSpan; x: number; step: number; top: number }): Html {
  const { span, x, step, top } = props
  const sent = (span.sent / top) * height
  const failed = span.failed === 0 ? 0 : Math.max(minFailedHeight, (span.failed / top) * height)
  const draw = (name: string, y: number, length: number): Html => (
    <rect
      class={name}
      x={round(x)}
      y={round(y)}
      width={round(step * barWidth)}
      height={round(length)}
    />
  )
  return (
    <>
      {sent > 0 && draw('sent', height - sent, sent)}
      {failed > 0 && draw('failed', Math.max(0, height - sent - failed - 0.8), failed)}
    </>
  )
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10)
}

/** The end of the chart's scale: an even round number, at least 4. */
function findTop(most: number): number {
  const scale = 10 ** Math.floor(Math.log10(Math.max(most, 1)))
  const found = [1, 2, 4, 6, 8, 10].find(factor => factor * scale >= most) ?? 10
  return Math.max(4, found * scale)
}

function describeSpans(spans: readonly CountedSpan[], offset: number, isHours: boolean): string {
  const period = isHours ? 'hour of the last 48 hours' : 'day of the last 90 days'
  const most = spans.reduce((a, b) => (b.sent > a.sent ? b : a))
  const worst = spans.reduce((a, b) => (b.failed > a.failed ? b : a))
  const place = (span: CountedSpan): string => formatSpan(span, offset, isHours)
  const peak = most.sent === 0 ? '' : ` Most were sent at ${place(most)}: ${most.sent}.`
  const faults = worst.failed === 0 ? '' : ` Most failed at ${place(worst)}: ${worst.failed}.`
  return `Messages sent and failed in each ${period}.${peak}${faults}`
}

/** The begin of a span by the chart's clock, such as `18 Mar, 10:00`. */
function formatSpan({ from }: CountedSpan, offset: number, isHours: boolean): string {
  const local = new Date(from + offset * minute).toISOString()
  const date = formatDate(local).slice(0, -5)
  return isHours ? `${date}, ${local.slice(11, 16)}` : date
}

/** The begin of a span below the chart, such as `18 Mar` or `22:00`. */
function formatTick({ from }: CountedSpan, offset: number, isClock: boolean): string {
  const local = new Date(from + offset * minute).toISOString()
  return isClock ? local.slice(11, 16) : formatDate(local).slice(0, -5)
}

const columns = [
  ['Sent', ({ sent }: CountedSpan) => sent],
  ['Failed', ({ failed }: CountedSpan) => failed],
  ['Created', ({ created }: CountedSpan) => created],
  ['Blocked', ({ blocked }: CountedSpan) => blocked],
  ['Delivered', ({ delivered }: CountedSpan) => delivered],
  ['Undelivered', (span: CountedSpan) => span.undelivered + span.expired],
] as const

function SpanTable({ spans, offset, isHours, zone }: SpansProps & { zone: string }): Html {
  return (
    <section class="scroll" tabindex="0" aria-label="Table of the chart">
      <table>
        <caption class="unseen">Messages, latest first</caption>
        <thead>
          <tr>
            <th scope="col">{`From (${zone})`}</th>
            {columns.map(([name]) => (
              <th scope="col" class="right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {spans.toReversed().map(span => (
            <tr>
              <td class="tabular">{formatSpan(span, offset, isHours)}</td>
              {columns.map(([, get]) => (
                <td class="right tabular">{get(span)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function sum(spans: readonly CountedSpan[], name: 'sent' | 'failed'): number {
  return spans.reduce((total, span) => total + span[name], 0)
}

function formatCount(count: number): string {
  return count.toLocaleString('en')
}
