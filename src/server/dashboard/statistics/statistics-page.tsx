// The statistics of an account: messages by day, hour, phone, source, country code and state.
// 1. `statistics-query.ts` reads the days and what to count by from the address.
// 2. The service makes the report; the page shows its sums, a chart and the table of the chart.
// 3. The file `statistics.csv` has the rows of the same report, for spreadsheets.
// A report is of days that somebody chose, so the page is not live.

import { type Status, sources, statusNames } from '../../../domain/message/message.js'
import type { ReportKind } from '../../../domain/message/message-counts.js'
import { formatLocalTime } from '../../../domain/time/zoned-time.js'
import { isRelayError } from '../../../errors.js'
import { formatCount } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import {
  type ReportRow,
  type StatisticsReport,
  sumCounts,
} from '../../services/statistics-report.js'
import { CountTable, messageCountColumns } from '../charts/count-table.js'
import { ShareBars } from '../charts/share-bars.js'
import { SpanTable, TrafficBars } from '../charts/traffic-bars.js'
import { Card, CardBody } from '../components/card.js'
import { Button } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { Notice } from '../components/notice.js'
import { statusLooks } from '../components/pill.js'
import { sourceLabels } from '../messages/message-path.js'
import { formatFormError } from '../page/field-errors.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { formatDate, formatZone, getToday } from '../page/page-times.js'
import { sendStatistics } from './statistics-file.js'
import {
  buildKindLink,
  buildReportLink,
  kindLabels,
  listPeriods,
  parseStatisticsQuery,
  statisticsPath,
} from './statistics-query.js'

type Context = Pick<ServerContext, 'statisticsReports'>
type Query = ReturnType<typeof parseStatisticsQuery>

export function createStatisticsPages(context: Context): Pages {
  return {
    [statisticsPath]: { GET: async request => await showStatistics(request, context) },
    [`${statisticsPath}.csv`]: {
      GET: async request => await sendStatistics(request, context.statisticsReports),
    },
  }
}

async function showStatistics(request: PageRequest, context: Context): Promise<PageResult> {
  const query = parseStatisticsQuery(request)
  const { report, error = query.error } = await loadReport(request, query, context)
  const body = (
    <>
      {error !== undefined && (
        <Notice kind="failed" hasFocus title="These days cannot be shown">
          {error}
        </Notice>
      )}
      <Card label="Statistics">
        <nav class="tabs" aria-label="Count by">
          {Object.entries(kindLabels).map(([by, label]) => (
            <a
              href={buildKindLink(query, by as ReportKind)}
              aria-current={by === query.by ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
        <PeriodForm query={query} today={getToday(request)} />
        {report && <Figures rows={report.rows} />}
      </Card>
      {report && <ChartCard query={query} report={report} />}
    </>
  )
  const actions = report && (
    <a class="btn" href={buildReportLink(query, `${statisticsPath}.csv`)} download="">
      <Icon name="download" />
      Export as CSV
    </a>
  )
  const status = error === undefined ? 200 : 400
  return showPage({ title: 'Statistics', current: statisticsPath, actions, body, status })
}

interface LoadedReport {
  readonly report?: StatisticsReport
  readonly error?: string
}

async function loadReport(
  { account }: PageRequest,
  query: Query,
  { statisticsReports }: Context,
): Promise<LoadedReport> {
  try {
    return { report: await statisticsReports.create(account, query) }
  } catch (error) {
    if (isRelayError(error, 'invalid_parameter')) return { error: formatFormError(error) }
    throw error
  }
}

function PeriodForm({ query, today }: { readonly query: Query; today: string }): Html {
  const { by, from, to, zone } = query
  const fields = [
    ['From', 'from', from],
    ['To', 'to', to],
  ] as const
  return (
    <form method="get" action={statisticsPath} class="filters" aria-label="Days">
      {by !== 'day' && <input type="hidden" name="by" value={by} />}
      <nav class="choice" aria-label="Period shown">
        {listPeriods(today).map(([label, first, last]) => (
          <a
            href={buildReportLink({ by: by === 'hour' ? 'day' : by, from: first, to: last })}
            aria-current={first === from && last === to ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      {fields.map(([label, name, value]) => (
        <div class="field">
          <label for={name}>{`${label} (${formatZone(zone)})`}</label>
          <input id={name} type="date" name={name} value={value} />
        </div>
      ))}
      <Button label="Show" variant="secondary" />
    </form>
  )
}

function Figures({ rows }: { readonly rows: readonly ReportRow[] }): Html {
  const sum = sumCounts(rows)
  const figures: readonly (readonly [string, number])[] = [
    ['Created', sum.created],
    ['Sent', sum.sent],
    ['Failed', sum.failed],
    ['Blocked', sum.blocked],
    ['Delivered', sum.delivered],
    ['Undelivered', sum.undelivered + sum.expired],
  ]
  return (
    <dl class="figures">
      {figures.map(([name, count]) => (
        <div>
          <dt>{name}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

interface ChartCardProps {
  readonly query: Query
  readonly report: StatisticsReport
}

function ChartCard({ query, report }: ChartCardProps): Html {
  const { by, from, to } = query
  const days = from === to ? formatDate(from) : `${formatDate(from)} to ${formatDate(to)}`
  return (
    <Card title={`By ${kindLabels[by].toLowerCase()}, ${days}`} id="chart">
      <CardBody>
        {!report.isComplete && (
          <p>Counts by day and hour go back 90 days. Earlier ones are 0 here.</p>
        )}
        {report.rows.length === 0 ? (
          <p class="none">No message was created in these days.</p>
        ) : (
          <Chart query={query} report={report} />
        )}
      </CardBody>
    </Card>
  )
}

function Chart({ query, report }: ChartCardProps): Html {
  const { by, zone } = query
  if (isTimed(by)) {
    const spans = report.rows.map(row => ({ ...row, from: row.from ?? 0 }))
    const toLocal = (at: number): string => formatLocalTime(at, zone)
    const clock = { toLocal, zone: formatZone(zone) }
    return (
      <>
        <TrafficBars {...{ spans, unit: by, clock }} />
        <SpanTable {...{ spans, unit: by, clock }} />
      </>
    )
  }
  const rows = report.rows.map(row => [formatGroup(row.name, by), row] as const)
  return (
    <>
      <p class="soft small">
        The stored messages that were created on these days, by their current state.
      </p>
      <ShareBars rows={rows} />
      <CountTable
        caption="Messages, largest first"
        head={kindLabels[by]}
        columns={messageCountColumns}
        rows={rows}
      />
    </>
  )
}

function isTimed(by: ReportKind): by is 'day' | 'hour' {
  return by === 'day' || by === 'hour'
}

function formatGroup(name: string, by: ReportKind): string {
  if (by === 'phone') return name === '' ? 'No phone yet' : name
  if (by === 'prefix') return name === '' ? 'Short codes' : name
  if (by === 'state') return name in statusNames ? statusLooks[name as Status][0] : name
  const source = sources.find(each => each === name)
  return source === undefined ? name : sourceLabels[source]
}
