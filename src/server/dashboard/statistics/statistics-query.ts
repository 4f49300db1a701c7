import { type ReportKind, reportKinds } from '../../../domain/message/message-counts.js'
import { addDays, isDay } from '../../../domain/time/local-day.js'
import type { ReportRequest } from '../../services/statistics-report.js'
import { buildLink } from '../components/pagination.js'
import { getQueryField, type PageRequest } from '../page/page.js'
import { formatWrongDay, getToday, readTimeZone } from '../page/page-times.js'

export const statisticsPath = '/statistics'

export const kindLabels = {
  day: 'Day',
  hour: 'Hour',
  phone: 'Phone',
  source: 'Source',
  prefix: 'Country code',
  state: 'State',
} as const satisfies Record<ReportKind, string>

const defaultDays = 30
/** Days of a report by hour that nobody chose: a row for each of 720 hours would help nobody. */
const defaultHourDays = 7

/**
 * Parses the query of the dashboard's statistics; without days, those of the last 30, or by hour of
 * the last 7. `error` says which day does not exist.
 */
export function parseStatisticsQuery(request: PageRequest): ReportRequest & { error?: string } {
  const zone = readTimeZone(request)
  const today = getToday(request)
  const kind = getQueryField(request, 'by')
  const by = reportKinds.find(name => name === kind) ?? 'day'
  const [from, to] = [getQueryField(request, 'from'), getQueryField(request, 'to')]
  const wrong = [from, to].find(each => each !== '' && !isDay(each))
  const last = isDay(to) ? to : today
  const length = by === 'hour' ? defaultHourDays : defaultDays
  const days = { from: isDay(from) ? from : addDays(last, 1 - length), to: last }
  if (wrong === undefined) return { by, ...days, zone }
  return { by, ...days, zone, error: formatWrongDay(wrong, today) }
}

/** The link to the same days by something else; by hour only to the last of them. */
export function buildKindLink({ from, to }: ReportRequest, by: ReportKind): string {
  const first = by === 'hour' ? addDays(to, 1 - defaultHourDays) : from
  return buildReportLink({ by, from: first > from ? first : from, to })
}

export function buildReportLink(
  { by, from, to }: Omit<ReportRequest, 'zone'>,
  path = statisticsPath,
): string {
  return buildLink(path, { by: by === 'day' ? '' : by, from, to })
}

export function listPeriods(today: string): readonly (readonly [string, string, string])[] {
  const month = `${today.slice(0, 7)}-01`
  const lastOfBefore = addDays(month, -1)
  return [
    ['7 days', addDays(today, -6), today],
    ['30 days', addDays(today, 1 - defaultDays), today],
    ['90 days', addDays(today, -89), today],
    ['This month', month, today],
    ['Last month', `${lastOfBefore.slice(0, 7)}-01`, lastOfBefore],
  ]
}
