import * as z from 'zod/mini'
import { limits } from '../../domain/limits.js'
import { links } from '../schema/link-schema.js'
import { pageLinks } from '../schema/list-page-schema.js'
import { idField } from '../schema/schema-fields.js'

const countError = `must be a number, 1 to ${limits.listMax}`

const deliveryFields = z.lazy(() =>
  z.object({
    id: z.string(),
    sequence: z.number(),
    event: z.string(),
    message: z.optional(z.object({ id: z.string() })),
    received: z.optional(z.object({ id: z.string() })),
    attempt: z.number(),
    /** Start of the webhook, UTC `YYYY-MM-DD HH:MM:SS`. */
    at: z.string(),
    /** Reply field: duration of the webhook in milliseconds. */
    ms: z.number(),
    /** HTTP status of the webhook's receiver; null if there was no reply. */
    status: z.nullable(z.number()),
    /** Reply field: one sentence if the webhook failed. */
    error: z.nullable(z.string()),
    ok: z.boolean(),
    /** Whether the subscription skipped the event after this failed webhook. */
    dead: z.boolean(),
    /** Whether a user requested the webhook (resend), outside the order. */
    resend: z.boolean(),
    /** The first 2 KB of the webhook receiver's reply. */
    reply: z.string(),
  }),
)

/** Schema of the result of a test webhook. */
export const testReply = z.lazy(() =>
  z.object({
    test: z.object({
      /** Start of the webhook, UTC `YYYY-MM-DD HH:MM:SS`. */
      at: z.string(),
      /** Reply field: duration of the webhook in milliseconds. */
      ms: z.number(),
      status: z.nullable(z.number()),
      error: z.nullable(z.string()),
      ok: z.boolean(),
      reply: z.string(),
    }),
  }),
)

export const deliveryReply = z.lazy(() =>
  z.object({ delivery: deliveryFields, links: z.optional(links) }),
)

export const deliveryListReply = z.lazy(() =>
  z.object({ deliveries: z.array(deliveryReply), links: pageLinks }),
)

export const deliveryFilter = z.lazy(() =>
  z.object({
    failed: z._default(z.boolean({ error: 'must be true or false' }), false),
    count: z._default(
      z
        .number({ error: countError })
        .check(
          z.int({ error: countError }),
          z.minimum(1, { error: countError }),
          z.maximum(limits.listMax, { error: countError }),
        ),
      limits.listDefault,
    ),
    before: z.optional(idField('a delivery')),
  }),
)

export type DeliveryFields = z.infer<typeof deliveryFields>
export type TestReply = z.infer<typeof testReply>
export type TestFields = TestReply['test']
export type DeliveryReply = z.infer<typeof deliveryReply>
export type DeliveryFilterInput = z.input<typeof deliveryFilter>
