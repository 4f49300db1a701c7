import * as z from 'zod/mini'

const problemFields = z.lazy(() =>
  z.object({
    /** Reply field: code of a problem, such as `store_damaged`. */
    code: z.string(),
    message: z.string(),
    hint: z.string(),
  }),
)

const deliveryLogFields = z.lazy(() =>
  z.object({
    bytes: z.number(),
    /** Reply field: bytes above which the oldest entries are deleted. */
    max_bytes: z.number(),
    /** Time of the oldest entry, UTC `YYYY-MM-DD HH:MM:SS`; null without entries. */
    oldest_on: z.nullable(z.string()),
  }),
)

export const statusReply = z.lazy(() =>
  z.object({
    status: z.object({
      problems: z.array(problemFields),
      /** The log of webhook deliveries of the whole relay; absent in replies of older relays. */
      delivery_log: z.optional(deliveryLogFields),
    }),
  }),
)

export type DeliveryLogFields = z.infer<typeof deliveryLogFields>
export type StatusFields = z.infer<typeof statusReply>['status']
export type StatusReply = z.infer<typeof statusReply>
