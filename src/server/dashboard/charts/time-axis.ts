import { formatDate } from '../page/page-times.js'
import type { ChartTick } from './bar-chart.js'

/** The length of each span of time of a dashboard's chart. */
export type SpanUnit = 'hour' | 'day'

/** The clock of a dashboard's chart: minutes ahead of UTC, and the name of the time zone. */
export interface ChartClock {
  readonly offset: number
  readonly zone: string
}

interface Span {
  /** Begin of the span, in milliseconds since the epoch. */
  readonly from: number
}

const minute = 60_000
/** No mark is nearer to the right end than this, because the end has its own. */
const lastPlace = 0.88
const maxDayMarks = 4

/** Formats the begin of a span of the dashboard's chart, such as `18 Mar, 10:00`. */
export function formatSpan(span: Span, unit: SpanUnit, clock: ChartClock): string {
  const local = toLocal(span, clock)
  const date = formatDate(local).slice(0, -5)
  return unit === 'hour' ? `${date}, ${local.slice(11, 16)}` : date
}

/**
 * The marks below a chart of hours: the date at each midnight and `12:00` at noon. Below days:
 * dates. `end` names the right end.
 */
export function listTicks(
  spans: readonly Span[],
  unit: SpanUnit,
  clock: ChartClock,
  end?: string,
): ChartTick[] {
  const every = Math.ceil(spans.length / maxDayMarks)
  const ticks = spans.flatMap((span, index): ChartTick[] => {
    const at = index / spans.length
    if (at > lastPlace) return []
    const local = toLocal(span, clock)
    const date = formatDate(local).slice(0, -5)
    if (unit === 'day') return index % every === 0 ? [{ at, text: date }] : []
    const hour = local.slice(11, 16)
    if (hour === '00:00') return [{ at, text: date, isLine: true }]
    return hour === '12:00' ? [{ at, text: hour }] : []
  })
  return end === undefined ? ticks : [...ticks, { at: 1, text: end }]
}

function toLocal({ from }: Span, { offset }: ChartClock): string {
  return new Date(from + offset * minute).toISOString()
}
