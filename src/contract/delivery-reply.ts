import * as z from 'zod/mini'
import { links } from './schema/link-schema.js'

/** The fields of an attempt at a delivery (README: extensions). */
export const deliveryFields = z.object({
  id: z.string(),
  /** Number of the event. */
  sequence: z.number(),
  event: z.string(),
  /** What it is about: a message to send, or a text that reached a phone. */
  message: z.optional(z.object({ id: z.string() })),
  received: z.optional(z.object({ id: z.string() })),
  /** Number of the attempt at this event. */
  attempt: z.number(),
  /** When it began, UTC `YYYY-MM-DD HH:MM:SS`. */
  at: z.string(),
  /** How long it took, in milliseconds. */
  ms: z.number(),
  /** Of the receiver's answer; null when there was none. */
  status: z.nullable(z.number()),
  /** What was wrong, when it was not ok. */
  error: z.nullable(z.string()),
  ok: z.boolean(),
  /** Whether the lane passed the event without its having been delivered. */
  dead: z.boolean(),
  /** Whether somebody asked for it, outside the order. */
  resend: z.boolean(),
  /** The first 2 KB of the receiver's answer. */
  reply: z.string(),
})

/** The reply that holds one attempt. */
export const deliveryReply = z.object({ delivery: deliveryFields, links: z.optional(links) })

/** The reply of GET /subscription/<id>/delivery. */
export const deliveryListReply = z.object({ deliveries: z.array(deliveryReply) })

export type DeliveryFields = z.infer<typeof deliveryFields>
export type DeliveryReply = z.infer<typeof deliveryReply>
export type DeliveryListReply = z.infer<typeof deliveryListReply>
