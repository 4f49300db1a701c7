import * as z from 'zod/mini'
import { limits } from '../domain/limits.js'
import { deliveryStates } from '../domain/message/delivery-status.js'
import { describe, requestIdText, seconds } from './schema/describe.js'
import { dateTimeField, integerField, textField } from './schema/schema-fields.js'

export const deliveryReceipt = z.lazy(() =>
  z.object({
    id: describe(textField(1, 64), 'The id of the sent message.'),
    part: describe(
      z.optional(integerField(1, 255)),
      'The number of the part, from 1. Without it the receipt is for all parts.',
    ),
    state: describe(
      z.enum(deliveryStates, { error: `must be one of ${deliveryStates.join(', ')}` }),
      'What the network says of the part.',
    ),
    at: describe(
      z.optional(dateTimeField()),
      'When the network settled the part. Default: now; a later time counts as now.',
    ),
    reason: describe(
      z.optional(textField(0, limits.errorMessage)),
      `The network's reason, for people; ${limits.receiptReason} characters are stored.`,
    ),
  }),
)

export const deliveryReport = z.lazy(() =>
  describe(z.array(deliveryReceipt), 'The receipts.', { maxItems: limits.messageBatch }),
)

const receiptResult = z.lazy(() =>
  z.object({
    id: describe(z.string(), 'The id of the message.'),
    status: describe(
      z.number(),
      '200: stored. 400: invalid, or the message has no such part. 404: no such message. ' +
        '409: the message is not sent.',
      { type: 'integer' },
    ),
    error: describe(z.optional(z.string()), 'The error code of a receipt that failed.'),
    error_description: describe(z.optional(z.string()), 'Says what to do about the error.'),
    request_id: describe(z.optional(z.string()), requestIdText),
    retry_after: describe(
      z.optional(z.number()),
      'When to report the receipt again, because its message is not sent yet.',
      seconds,
    ),
  }),
)

/** The result of each receipt, in their order; `status` is that of an HTTP reply. */
export const deliveryReportReply = z.lazy(() =>
  z.object({
    results: describe(z.array(receiptResult), 'One result for each receipt, in order.'),
  }),
)

export type DeliveryReceiptFields = z.infer<typeof deliveryReceipt>
export type DeliveryReportReply = z.infer<typeof deliveryReportReply>
export type DeliveryReportResult = DeliveryReportReply['results'][number]
