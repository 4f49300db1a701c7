import * as z from 'zod/mini'
import { type ReportKind, reportKinds } from '../../domain/message/message-counts.js'
import { isDay } from '../../domain/time/local-day.js'
import { isTimeZone } from '../../domain/time/zoned-time.js'
import { describe, utcTime } from '../schema/describe.js'
import { queryObject } from '../schema/schema-fields.js'
import { createCountFields } from './statistics-schema.js'

export const reportQuery = z.lazy(() =>
  queryObject({
    by: describe(
      z._default(z.enum(reportKinds, { error: `must be one of ${reportKinds.join(', ')}` }), 'day'),
      'A row for each day, hour, phone, source, calling code (`prefix`) or state.',
    ),
    from: describe(createDayField(), 'The first day, `YYYY-MM-DD`.'),
    to: describe(createDayField(), 'The last day, `YYYY-MM-DD`.'),
    time_zone: describe(
      z._default(
        z.string().check(z.refine(isTimeZone, { error: 'must be a time zone, Area/City' })),
        'UTC',
      ),
      'The time zone of the days (IANA), such as `Europe/Berlin`.',
    ),
  }),
)

function createDayField(): z.ZodMiniType<string> {
  const error = 'must be an existing day, YYYY-MM-DD'
  return z.string({ error }).check(z.refine(isDay, { error }))
}

const reportRow = z.lazy(() =>
  describe(
    z.object({
      name: describe(
        z.string(),
        'The local day or hour, or the phone, source, calling code or letter of the state; empty ' +
          'for messages without one.',
      ),
      from: describe(z.optional(z.string()), 'The start of the day or hour.', utcTime),
      ...createCountFields(),
    }),
    'The messages of a row of a report.',
    { id: 'ReportRow' },
  ),
)

export const statisticsReportReply = z.lazy(() =>
  z.object({
    report: describe(
      z.object({
        by: describe(z.enum(reportKinds), 'As in the request.'),
        complete: describe(
          z.boolean(),
          'Whether all messages of the days are counted. Counts by day and hour go back 90 days; ' +
            'other reports always count all stored messages.',
        ),
        rows: describe(z.array(reportRow), 'By time, or the largest first.'),
      }),
      'The report.',
    ),
  }),
)

export interface ReportQuery {
  readonly by?: ReportKind
  readonly from: string
  readonly to: string
  readonly time_zone?: string
}

export type StatisticsReportFields = z.infer<typeof statisticsReportReply>['report']
export type StatisticsReportReply = z.infer<typeof statisticsReportReply>
