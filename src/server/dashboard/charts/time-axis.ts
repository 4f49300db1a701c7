import { formatDate } from '../page/page-times.js'
import type { ChartTick } from './bar-chart.js'

export type SpanUnit = 'hour' | 'day'

export interface ChartClock {
  /** Formats milliseconds since the epoch as a local time that begins with `YYYY-MM-DDTHH:MM`. */
  readonly toLocal: (at: number) => string
  readonly zone: string
}

interface Span {
  readonly from: number
}

/** No mark is nearer to the right end, which has its own, so that both fit on a narrow screen. */
const lastPlace = 0.8
/** More do not fit on a narrow screen. */
const maxMarks = 4
/** Milliseconds: the clocks of all zones differ by multiples of it. */
const zoneStep = 15 * 60 * 1000

/** Formats the begin of a span of the dashboard's chart, such as `18 Mar, 10:00`. */
export function formatSpan(span: Span, unit: SpanUnit, clock: ChartClock): string {
  const local = clock.toLocal(span.from)
  const date = formatDate(local).slice(0, -5)
  return unit === 'hour' ? `${date}, ${local.slice(11, 16)}` : date
}

/**
 * Formats the begins of the spans of a chart in words; hours that clocks show twice with UTC, such
 * as `25 Oct, 02:00 (01:00 UTC)`.
 */
export function formatSpans(spans: readonly Span[], unit: SpanUnit, clock: ChartClock): string[] {
  const names = spans.map(span => formatSpan(span, unit, clock))
  return names.map((name, at) => {
    const isRepeated = name === names[at - 1] || name === names[at + 1]
    if (!isRepeated) return name
    return `${name} (${new Date(spans[at]?.from ?? 0).toISOString().slice(11, 16)} UTC)`
  })
}

/**
 * The marks below a chart of hours: the date at midnight and `12:00` at noon; of many days only
 * some dates. Below days: dates. `end` names the right end.
 */
export function listTicks(
  spans: readonly Span[],
  unit: SpanUnit,
  clock: ChartClock,
  end?: string,
): ChartTick[] {
  const all = spans.flatMap((span, index): ChartTick[] => {
    const at = index / spans.length
    if (unit === 'hour') return createClockTicks(at, span.from, clock)
    return [{ at, text: formatSpan(span, unit, clock) }]
  })
  const isLong = unit === 'hour' && all.length > maxMarks
  const marks = isLong ? all.filter(({ isLine }) => isLine) : all
  const every = Math.ceil(marks.length / maxMarks)
  const ticks = marks.filter(({ at }, index) => at <= lastPlace && index % every === 0)
  return end === undefined ? ticks : [...ticks, { at: 1, text: end }]
}

/** The marks below a chart of the dashboard from any time until now, as those of hours. */
export function listClockTicks(from: number, now: number, clock: ChartClock): ChartTick[] {
  const ticks: ChartTick[] = []
  for (let time = Math.ceil(from / zoneStep) * zoneStep; time < now; time += zoneStep) {
    const at = (time - from) / (now - from)
    if (at <= lastPlace) ticks.push(...createClockTicks(at, time, clock))
  }
  return [...ticks, { at: 1, text: 'now' }]
}

function createClockTicks(at: number, time: number, clock: ChartClock): ChartTick[] {
  const hour = clock.toLocal(time).slice(11, 16)
  const date = formatSpan({ from: time }, 'day', clock)
  if (hour === '00:00') return [{ at, text: date, isLine: true }]
  return hour === '12:00' ? [{ at, text: hour }] : []
}
