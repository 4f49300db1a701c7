import { Fragment, type Html, h } from '../components/html.js'
import { Axis, type ChartTick, round } from './bar-chart.js'

/** How a state looks in a strip; the heights tell states apart without colours. */
export interface StripState {
  readonly name: string
  readonly tone: 'good' | 'held' | 'idle' | 'absent'
}

export interface StripSpan<S extends string> {
  readonly state: S
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly until: number
}

const heights = { good: 1, held: 0.75, idle: 0.5, absent: 0.1 } as const
const width = 480
const height = 24

export function StateStrip<S extends string>(props: {
  readonly label: string
  readonly states: Readonly<Record<S, StripState>>
  readonly spans: readonly StripSpan<S>[]
  readonly ticks?: readonly ChartTick[]
}): Html {
  const { label, states, spans, ticks = [] } = props
  const from = spans[0]?.from ?? 0
  const scale = width / ((spans.at(-1)?.until ?? 0) - from)
  return (
    <figure class="strip">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {spans.map(span => {
          const { tone } = states[span.state]
          const length = heights[tone] * height
          return (
            <rect
              class={tone}
              x={round((span.from - from) * scale)}
              y={round(height - length)}
              width={round((span.until - span.from) * scale)}
              height={round(length)}
            />
          )
        })}
      </svg>
      {ticks.length > 0 && <Axis ticks={ticks} />}
    </figure>
  )
}

export function StripLegend(props: { readonly states: readonly StripState[] }): Html {
  return (
    <p class="legend">
      {props.states.map(({ name, tone }) => (
        <span>
          <i class={`swatch ${tone}`} />
          {name}
        </span>
      ))}
    </p>
  )
}
