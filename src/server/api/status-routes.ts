import {
  reportQuery,
  type StatisticsReportReply,
} from '../../contract/statistics/statistics-report-schema.js'
import {
  type CountedFields,
  type StatisticsReply,
  statisticsQuery,
} from '../../contract/statistics/statistics-schema.js'
import type { StatusReply } from '../../contract/status-schema.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { parseQuery } from '../http/request-query.js'
import type { RouteHandlers } from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'
import type { CountedSpan } from '../services/statistics-service.js'

export function createStatusHandlers({
  statistics,
  statisticsReports,
  problems,
  deliveryLog,
}: ServerContext): RouteHandlers<'getStatistics' | 'getStatisticsReport' | 'getStatus'> {
  return {
    getStatus: async ({ caller }) => {
      const found = await problems.list(caller.account.id)
      const { bytes, maxBytes, oldestAt } = await deliveryLog.getState()
      const reply: StatusReply = {
        status: {
          problems: found.map(({ code, message, detail, hint }) => {
            const isShown = detail !== undefined && caller.role === 'admin'
            return { code, message: isShown ? `${message} ${detail}` : message, hint }
          }),
          delivery_log: {
            bytes,
            max_bytes: maxBytes,
            oldest_on: oldestAt === undefined ? null : formatDateTime(oldestAt),
          },
        },
      }
      return JSON.stringify(reply)
    },
    getStatistics: async ({ caller, request }) => {
      const { utc_offset } = parseQuery(statisticsQuery, request)
      const { today, hours, days } = await statistics.get(caller.account, utc_offset)
      const reply: StatisticsReply = {
        statistics: {
          utc_offset,
          today: toCountedFields(today),
          hours: hours.map(toCountedFields),
          days: days.map(toCountedFields),
        },
      }
      return JSON.stringify(reply)
    },
    getStatisticsReport: createReportHandler(statisticsReports),
  }
}

function toCountedFields({ from, ...counts }: CountedSpan): CountedFields {
  return { from: formatDateTime(from), ...counts }
}

function createReportHandler(
  reports: ServerContext['statisticsReports'],
): RouteHandlers<'getStatisticsReport'>['getStatisticsReport'] {
  return async ({ caller, request }) => {
    const { by, from, to, time_zone: zone } = parseQuery(reportQuery, request)
    const report = await reports.create(caller.account, { by, from, to, zone })
    const rows = report.rows.map(({ name, from: begin, ...counts }) => ({
      name,
      ...(begin === undefined ? {} : { from: formatDateTime(begin) }),
      ...counts,
    }))
    const reply: StatisticsReportReply = { report: { by, complete: report.isComplete, rows } }
    return JSON.stringify(reply)
  }
}
