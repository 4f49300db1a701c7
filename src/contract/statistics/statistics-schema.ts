// The counts of messages, over the API.
// - statistics-schema (this file): GET /statistics, the last hours and days with fixed lengths, by
//   a clock that is so many minutes ahead of UTC
// - statistics-report-schema: GET /statistics/report, rows of some days in a time zone: by day,
//   hour, phone, source, calling code or state
import * as z from 'zod/mini'
import { describe, utcTime, whole } from '../schema/describe.js'
import { queryObject } from '../schema/schema-fields.js'

const countedFields = z.lazy(() =>
  describe(
    z.object({
      from: describe(z.string(), 'The start of the hour or day.', utcTime),
      ...createCountFields(),
    }),
    'The messages of an hour or a day.',
    { id: 'MessageCounts' },
  ),
)

export function createCountFields() {
  return {
    created: describe(z.number(), 'Messages that were created.', whole),
    sent: describe(z.number(), 'Messages that were sent.', whole),
    failed: describe(z.number(), 'Messages that failed.', whole),
    blocked: describe(z.number(), 'Messages that were blocked.', whole),
    pending: countDelivery('pending'),
    delivered: countDelivery('delivered'),
    undelivered: countDelivery('undelivered'),
    expired: countDelivery('expired'),
  }
}

function countDelivery(state: string) {
  const description = `Sent messages whose delivery status is \`${state}\`.`
  return describe(z.optional(z.number()), description, whole)
}

/**
 * JSON fields of GET /statistics: message counts by hour and day; the last of each is the current
 * one.
 */
const statisticsFields = z.lazy(() =>
  z.object({
    utc_offset: describe(z.number(), 'As in the request.', {
      type: 'integer',
      'x-unit': 'minutes',
    }),
    today: countedFields,
    hours: describe(z.array(countedFields), 'The last 48 hours; the last one is the current one.'),
    days: describe(z.array(countedFields), 'The last 90 days; the last one is today.'),
  }),
)

export const statisticsReply = z.lazy(() =>
  z.object({ statistics: describe(statisticsFields, 'The counts.') }),
)

const offsetError = 'must be minutes ahead of UTC, a multiple of 15 from -720 to 840'

export const statisticsQuery = z.lazy(() =>
  queryObject({
    utc_offset: z._default(createOffsetField(), 0),
  }),
)

function createOffsetField(): z.ZodMiniType<number> {
  const schema = z
    .pipe(
      z.string({ error: offsetError }).check(z.regex(/^-?\d{1,3}$/, { error: offsetError })),
      z.transform(Number),
    )
    .check(
      z.refine(minutes => minutes % 15 === 0 && minutes >= -720 && minutes <= 840, {
        error: offsetError,
      }),
    )
  return describe(schema, 'How far the local clock is ahead of UTC. Hours and days follow it.', {
    replace: { type: 'integer', minimum: -720, maximum: 840, multipleOf: 15 },
    'x-unit': 'minutes',
  })
}

export type CountedFields = z.infer<typeof countedFields>
export type StatisticsFields = z.infer<typeof statisticsFields>
export type StatisticsReply = z.infer<typeof statisticsReply>
