import { z } from 'zod'

const offsetError = 'must be minutes ahead of UTC, a multiple of 15 from -720 to 840'

/** What the query of GET /statistics may hold. */
export const statisticsQuery = z.object({
  utc_offset: z
    .string({ error: offsetError })
    .regex(/^-?\d{1,3}$/, { error: offsetError })
    .transform(Number)
    .refine(minutes => minutes % 15 === 0 && minutes >= -720 && minutes <= 840, {
      error: offsetError,
    })
    .default(0),
})

export type { CountedFields, StatisticsFields, StatisticsReply } from './statistics-reply.js'
