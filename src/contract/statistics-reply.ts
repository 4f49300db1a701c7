import * as z from 'zod/mini'

/** What happened to an account's messages in a span of time. */
export const countedFields = z.object({
  /** When the span begins, UTC `YYYY-MM-DD HH:MM:SS`. */
  from: z.string(),
  created: z.number(),
  sent: z.number(),
  failed: z.number(),
  blocked: z.number(),
})

/** The counts of the last hours and days; the last of each is the one in hand. */
export const statisticsFields = z.object({
  /** Minutes that the clock is ahead of UTC whose days and hours these are. */
  utc_offset: z.number(),
  today: countedFields,
  /** 48 of them. */
  hours: z.array(countedFields),
  /** 90 of them. */
  days: z.array(countedFields),
})

/** The reply of GET /statistics. */
export const statisticsReply = z.object({ statistics: statisticsFields })

export type CountedFields = z.infer<typeof countedFields>
export type StatisticsFields = z.infer<typeof statisticsFields>
export type StatisticsReply = z.infer<typeof statisticsReply>
