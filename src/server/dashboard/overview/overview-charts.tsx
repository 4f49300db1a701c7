import type { CountedSpan, Statistics } from '../../services/statistics-service.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Table } from '../components/table.js'
import { formatUtcOffset, formatWallTime } from '../components/time.js'
import { LiveSection, type LiveSectionProps } from '../page/live-section.js'
import type { StaticFileName } from '../page/static-files.js'

export interface ChartProps {
  readonly statistics: Statistics
  /** Offset of the charts' clock from UTC in minutes. */
  readonly offset: number
}

export const chartFiles: readonly StaticFileName[] = ['uplot.css', 'uplot.js', 'charts.js']

/**
 * The overview's charts. A script draws them from the tables; without scripts, only the tables are
 * shown.
 */
export function Charts(props: ChartProps): Html {
  const zone = formatUtcOffset(props.offset)
  return (
    <>
      <Chart id="hours" title={`Sent and failed per hour (${zone})`} step={3600} />
      <Chart id="days" title={`Sent and failed per day (${zone})`} step={86_400} />
      <details class="figures">
        <summary>Show the figures as tables</summary>
        <LiveSection {...createFiguresSection(props)} />
      </details>
    </>
  )
}

/** The live section with the overview's charts; the script draws them again when it is reloaded. */
export function createFiguresSection({ statistics, offset }: ChartProps): LiveSectionProps {
  const { hours, days } = statistics
  const children = (
    <>
      <h2>Per hour</h2>
      <div id="hours-figures">
        <SpanTable caption="Messages per hour" spans={hours} offset={offset} digits={16} />
      </div>
      <h2>Per day</h2>
      <div id="days-figures">
        <SpanTable caption="Messages per day" spans={days} offset={offset} digits={10} />
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
  /** Characters of a formatted time to show in the dashboard's table. */
  readonly digits: number
}

/**
 * A table of the overview's charts, newest row first. `public/charts.js` depends on this and on the
 * order of the columns.
 */
function SpanTable({ caption, spans, offset, digits }: SpanTableProps): Html {
  return (
    <Table
      caption={caption}
      head={[
        `From (${formatUtcOffset(offset)})`,
        'Sent',
        'Failed',
        'Created',
        'Blocked',
        'Delivered',
        'Undelivered',
      ]}
      rows={spans.toReversed().map(({ from, sent, failed, created, blocked, ...delivery }) => [
        <span class="number" data-from={String(from / 1000 + offset * 60)}>
          {formatWallTime(from, offset).slice(0, digits)}
        </span>,
        ...[sent, failed, created, blocked],
        ...[delivery.delivered, delivery.undelivered + delivery.expired],
      ])}
      empty=""
    />
  )
}
