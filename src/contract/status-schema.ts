import * as z from 'zod/mini'
import { describe, utcTime, whole } from './schema/describe.js'

const problemFields = z.lazy(() =>
  z.object({
    code: describe(z.string(), 'The code of the problem, such as `store_damaged`.'),
    message: describe(z.string(), 'What is wrong.'),
    hint: describe(z.string(), 'What to do about it.'),
  }),
)

const deliveryLogFields = z.lazy(() =>
  z.object({
    bytes: describe(z.number(), 'The size of the log.', { ...whole, 'x-unit': 'bytes' }),
    max_bytes: describe(z.number(), 'Beyond this size the oldest entries are deleted.', {
      ...whole,
      'x-unit': 'bytes',
    }),
    oldest_on: describe(
      z.nullable(z.string()),
      'The time of the oldest entry; null without entries.',
      utcTime,
    ),
  }),
)

export const statusReply = z.lazy(() =>
  z.object({
    status: describe(
      z.object({
        problems: describe(
          z.array(problemFields),
          'The problems of the relay and of the account, oldest first; empty when all is well.',
        ),
        delivery_log: describe(
          z.optional(deliveryLogFields),
          'The log of webhook deliveries of the whole relay; absent in replies of older relays.',
        ),
      }),
      'What an operator must look at.',
    ),
  }),
)

export type DeliveryLogFields = z.infer<typeof deliveryLogFields>
export type StatusFields = z.infer<typeof statusReply>['status']
export type StatusReply = z.infer<typeof statusReply>
