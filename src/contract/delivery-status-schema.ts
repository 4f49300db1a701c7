import * as z from 'zod/mini'
import { limits } from '../domain/limits.js'
import { deliveryStates } from '../domain/message/delivery-status.js'
import { dateTimeField, integerField, textField } from './schema/schema-fields.js'

/** One receipt in the body of POST /message/delivery. */
export const deliveryReceipt = z.lazy(() =>
  z.object({
    /** Request field: the id of the sent message. */
    id: textField(1, 64),
    /** The number of the part, from 1. Without it the receipt is for all parts. */
    part: z.optional(integerField(1, 255)),
    state: z.enum(deliveryStates, { error: `must be one of ${deliveryStates.join(', ')}` }),
    /** When the network settled the part, UTC `YYYY-MM-DD HH:MM:SS`. The default is now. */
    at: z.optional(dateTimeField()),
    /** Request field: the network's reason, for people. */
    reason: z.optional(textField(0, limits.errorMessage)),
  }),
)

/** The body of POST /message/delivery. */
export const deliveryReport = z.lazy(() => z.array(deliveryReceipt))

/** The result of each receipt, in their order; `status` is that of an HTTP reply. */
export const deliveryReportReply = z.lazy(() =>
  z.object({
    results: z.array(
      z.object({
        id: z.string(),
        status: z.number(),
        error: z.optional(z.string()),
        error_description: z.optional(z.string()),
        request_id: z.optional(z.string()),
        /** Seconds after which the receipt can be accepted, because its message is not sent yet. */
        retry_after: z.optional(z.number()),
      }),
    ),
  }),
)

export type DeliveryReceiptFields = z.infer<typeof deliveryReceipt>
export type DeliveryReportReply = z.infer<typeof deliveryReportReply>
export type DeliveryReportResult = DeliveryReportReply['results'][number]
