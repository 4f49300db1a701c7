import { parseInput } from '../../contract/schema/parse.js'
import {
  type CountedFields,
  type StatisticsReply,
  statisticsQuery,
} from '../../contract/statistics-schema.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { requireFullScope } from '../http/authenticate.js'
import type { Routes } from '../http/route.js'
import type { CountedSpan, StatisticsService } from '../services/statistics-service.js'

/** What happened to the account's messages in the last hours and days (README: extensions). */
export function createStatisticsRoutes(statistics: StatisticsService): Routes {
  return {
    '/statistics': {
      GET: async ({ caller, request }) => {
        requireFullScope(caller)
        const { utc_offset } = parseInput(statisticsQuery, request.query)
        const { today, hours, days } = await statistics.get(caller.account, utc_offset)
        const spans = {
          today: toCountedFields(today),
          hours: hours.map(toCountedFields),
          days: days.map(toCountedFields),
        }
        const reply = { statistics: { utc_offset, ...spans } } satisfies StatisticsReply
        return JSON.stringify(reply)
      },
    },
  }
}

function toCountedFields({ from, ...counts }: CountedSpan): CountedFields {
  return { from: formatDateTime(from), ...counts }
}
