import * as z from 'zod/mini'

const countedFields = z.lazy(() =>
  z.object({
    /** Start of the counted hour or day, UTC `YYYY-MM-DD HH:MM:SS`. */
    from: z.string(),
    created: z.number(),
    sent: z.number(),
    failed: z.number(),
    blocked: z.number(),
  }),
)

/**
 * JSON fields of GET /statistics: message counts by hour and day; the last of each is the current
 * one.
 */
const statisticsFields = z.lazy(() =>
  z.object({
    /** Minutes ahead of UTC of the clock whose hours and days the statistics count. */
    utc_offset: z.number(),
    today: countedFields,
    hours: z.array(countedFields),
    days: z.array(countedFields),
  }),
)

export const statisticsReply = z.lazy(() => z.object({ statistics: statisticsFields }))

const offsetError = 'must be minutes ahead of UTC, a multiple of 15 from -720 to 840'

export const statisticsQuery = z.lazy(() =>
  z.object({
    utc_offset: z._default(
      z
        .pipe(
          z.string({ error: offsetError }).check(z.regex(/^-?\d{1,3}$/, { error: offsetError })),
          z.transform(Number),
        )
        .check(
          z.refine(minutes => minutes % 15 === 0 && minutes >= -720 && minutes <= 840, {
            error: offsetError,
          }),
        ),
      0,
    ),
  }),
)

export type CountedFields = z.infer<typeof countedFields>
export type StatisticsFields = z.infer<typeof statisticsFields>
export type StatisticsReply = z.infer<typeof statisticsReply>
