import { z } from 'zod'
import { limits } from '../domain/limits.js'

const countError = `must be a number, 1 to ${limits.listMost}`

/** The `filter` of GET /subscription/<id>/delivery (extension). */
export const deliveryFilter = z.object({
  failed: z.boolean({ error: 'must be true or false' }).default(false),
  count: z
    .number({ error: countError })
    .int({ error: countError })
    .min(1, { error: countError })
    .max(limits.listMost, { error: countError })
    .default(limits.listDefault),
  before: z
    .string({ error: 'must be the id of a delivery' })
    .regex(/^[\w-]{1,64}$/, { error: 'must be the id of a delivery' })
    .optional(),
})

export type { DeliveryFields, DeliveryListReply, DeliveryReply } from './delivery-reply.js'
export type DeliveryFilterInput = z.input<typeof deliveryFilter>
