import type { CountedSpan, Statistics } from '../../services/statistics-service.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Table } from '../components/table.js'
import { formatUtcOffset, formatWallTime } from '../components/time.js'
import { LiveSection, type LiveSectionProps } from '../page/live-section.js'
import type { StaticFileName } from '../page/static-files.js'

/** Properties of {@link Charts}. */
export interface ChartProps {
  readonly statistics: Statistics
  /** Minutes that the reader's clock is ahead of UTC. */
  readonly offset: number
}

/** What a page with {@link Charts} loads. */
export const chartFiles: readonly StaticFileName[] = ['uplot.css', 'uplot.js', 'charts.js']

/**
 * Charts of what was sent and failed per hour and per day. A script draws them from the table below, which is all there
 * is without scripts.
 */
export function Charts(props: ChartProps): Html {
  const zone = formatUtcOffset(props.offset)
  return (
    <>
      <Chart id="hours" title={`Sent and failed per hour, by ${zone}`} step={3600} />
      <Chart id="days" title={`Sent and failed per day, by ${zone}`} step={86_400} />
      <details class="figures">
        <summary>The figures as tables</summary>
        <LiveSection {...createFiguresSection(props)} />
      </details>
    </>
  )
}

/** The same figures as tables; the charts are drawn of them, and anew when they change. */
export function createFiguresSection({ statistics, offset }: ChartProps): LiveSectionProps {
  const { hours, days } = statistics
  const children = (
    <>
      <h2>Per hour</h2>
      <div id="hours-figures">
        <SpanTable caption="Texts per hour" spans={hours} offset={offset} digits={16} />
      </div>
      <h2>Per day</h2>
      <div id="days-figures">
        <SpanTable caption="Texts per day" spans={days} offset={offset} digits={10} />
      </div>
    </>
  )
  return { id: 'figures', path: '/overview/figures', children }
}

function Chart({ id, title, step }: { id: string; title: string; step: number }): Html {
  return (
    <section
      class="chart"
      aria-label={title}
      hidden
      data-chart={`${id}-figures`}
      data-step={String(step)}
    >
      <h2>{title}</h2>
      <div class="plot" role="img" aria-label={`${title}; the figures are in the tables below`} />
    </section>
  )
}

interface SpanTableProps {
  readonly caption: string
  readonly spans: readonly CountedSpan[]
  readonly offset: number
  /** How much of a time is shown, in characters. */
  readonly digits: number
}

/** The newest first; the script reads the times and the columns by their order. */
function SpanTable({ caption, spans, offset, digits }: SpanTableProps): Html {
  return (
    <Table
      caption={caption}
      head={[`From (${formatUtcOffset(offset)})`, 'Sent', 'Failed', 'Created', 'Blocked']}
      rows={spans.toReversed().map(({ from, sent, failed, created, blocked }) => [
        <span class="number" data-from={String(from / 1000 + offset * 60)}>
          {formatWallTime(from, offset).slice(0, digits)}
        </span>,
        ...[sent, failed, created, blocked],
      ])}
      empty=""
    />
  )
}
