import { countNames } from '../../../domain/message/message-counts.js'
import { formatDateTime } from '../../../domain/time/date-time.js'
import { RelayError } from '../../../errors.js'
import { formatCsvRow } from '../../../util/text/csv-row.js'
import type { StatisticsReports } from '../../services/statistics-report.js'
import type { PageRequest } from '../page/page.js'
import { sendTable } from '../page/table-upload.js'
import { parseStatisticsQuery } from './statistics-query.js'

/** Sends a report of the dashboard's statistics as CSV; the columns are those of the API. */
export async function sendStatistics(
  request: PageRequest,
  reports: StatisticsReports,
): Promise<undefined> {
  const query = parseStatisticsQuery(request)
  if (query.error !== undefined) throw new RelayError('invalid_parameter', query.error)
  const { by, from, to } = query
  const { rows } = await reports.create(request.account, query)
  const head = [by, 'from_utc', ...countNames]
  const lines = rows.map(row => [
    row.name,
    row.from === undefined ? '' : formatDateTime(row.from),
    ...countNames.map(name => String(row[name])),
  ])
  const name = `messages-by-${by}-${from}-${to}.csv`
  return await sendTable(request, name, [head, ...lines].map(formatCsvRow))
}
