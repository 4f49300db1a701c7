import { parse } from '../../contract/schema/parse.js'
import {
  type CountedFields,
  type StatisticsReply,
  statisticsQuery,
} from '../../contract/statistics-schema.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { needFullScope } from '../http/authenticate.js'
import type { Routes } from '../http/route.js'
import type { CountedSpan, StatisticsService } from '../services/statistics-service.js'

/** What happened to the account's messages in the last hours and days (README: extensions). */
export function statisticsRoutes(statistics: StatisticsService): Routes {
  return {
    '/statistics': {
      GET: async ({ caller, request }) => {
        needFullScope(caller)
        const { utc_offset } = parse(statisticsQuery, request.query)
        const { today, hours, days } = await statistics.of(caller.account, utc_offset)
        const spans = {
          today: toFields(today),
          hours: hours.map(toFields),
          days: days.map(toFields),
        }
        const reply = { statistics: { utc_offset, ...spans } } satisfies StatisticsReply
        return JSON.stringify(reply)
      },
    },
  }
}

function toFields({ from, ...counts }: CountedSpan): CountedFields {
  return { from: formatDateTime(from), ...counts }
}
