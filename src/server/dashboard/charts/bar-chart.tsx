// Charts of the dashboard, drawn by the server as SVG with attributes only (no inline styles).
// - bar-chart (this file): stacked bars with a scale and an axis
// - time-axis: the spans of time of a chart in words, and the marks below it
// - traffic-bars: sent and failed messages in each hour or day
// - state-strip: the states of something over time
// - share-bars: groups of messages, each with a bar
// - count-table: the table of such a chart, because a drawing alone says nothing to a screen reader
import { formatCount } from '../../../util/text/plural.js'
import { Fragment, type Html, h } from '../components/html.js'

export interface ChartSeries {
  readonly name: string
  readonly tone: 'good' | 'bad'
}

/** A mark below a chart of the dashboard; `at` is its place, from 0 (left) to 1. */
export interface ChartTick {
  readonly at: number
  readonly text: string
  readonly isLine?: boolean
}

export interface BarChartProps {
  readonly label: string
  readonly series: readonly ChartSeries[]
  readonly bars: readonly (readonly number[])[]
  readonly ticks: readonly ChartTick[]
}

/** Size of the drawing; the browser stretches it. */
const width = 480
const height = 120
/** Part of a span's width that its bar takes. */
const barWidth = 0.76
const minBadHeight = 1.5

export function BarChart({ label, series, bars, ticks }: BarChartProps): Html {
  const top = findTop(Math.max(...bars.map(values => values.reduce((a, b) => a + b, 0))))
  const step = width / bars.length
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
        aria-label={label}
      >
        <path class="grid" d={`M0 .5h480M0 60h480M0 119.5h480${drawLines(ticks)}`} />
        {bars.map((values, at) => (
          <Bar {...{ series, values, step, top }} x={(at + (1 - barWidth) / 2) * step} />
        ))}
      </svg>
      <Axis ticks={ticks} />
    </figure>
  )
}

function drawLines(ticks: readonly ChartTick[]): string {
  return ticks.map(({ at, isLine }) => (isLine ? `M${round(at * width)} 0v${height}` : '')).join('')
}

export function Axis({ ticks }: { readonly ticks: readonly ChartTick[] }): Html {
  return (
    <svg class="axis" aria-hidden="true">
      {ticks.map(({ at, text }) => (
        <text x={`${round(at * 100)}%`} y="12" text-anchor={getAnchor(at)}>
          {text}
        </text>
      ))}
    </svg>
  )
}

function getAnchor(at: number): 'start' | 'middle' | 'end' {
  if (at < 0.03) return 'start'
  return at > 0.97 ? 'end' : 'middle'
}

interface BarProps {
  readonly series: readonly ChartSeries[]
  readonly values: readonly number[]
  readonly x: number
  readonly step: number
  readonly top: number
}

function Bar({ series, values, x, step, top }: BarProps): Html {
  let bottom = height
  const parts = series.map(({ tone }, at) => {
    const value = values[at] ?? 0
    if (value === 0) return null
    const least = tone === 'bad' ? minBadHeight : 0
    const length = Math.max(least, (value / top) * height)
    const gap = bottom === height ? 0 : 0.8
    bottom = Math.max(0, bottom - length - gap)
    return (
      <rect
        class={tone === 'good' ? 'sent' : 'failed'}
        x={round(x)}
        y={round(bottom)}
        width={round(step * barWidth)}
        height={round(length)}
      />
    )
  })
  return <>{parts}</>
}

export function round(value: number): string {
  return String(Math.round(value * 10) / 10)
}

/** The end of the chart's scale: an even round number, at least 4. */
function findTop(most: number): number {
  const scale = 10 ** Math.floor(Math.log10(Math.max(most, 1)))
  const found = [1, 2, 4, 6, 8, 10].find(factor => factor * scale >= most) ?? 10
  return Math.max(4, found * scale)
}

export function Legend(props: {
  readonly series: readonly (ChartSeries & { readonly sum: number })[]
}): Html {
  return (
    <p class="legend">
      {props.series.map(({ name, tone, sum }) => (
        <span>
          <i class={tone === 'good' ? 'swatch' : 'swatch bad'} />
          {`${name}, ${formatCount(sum)}`}
        </span>
      ))}
    </p>
  )
}
