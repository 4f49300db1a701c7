import * as z from 'zod/mini'
import { links } from './schema/link-schema.js'

/** The fields of a text that reached a phone (README: received texts). */
export const receivedFields = z.object({
  id: z.string(),
  /** The sender, as the phone gave it. */
  from: z.string(),
  /** The sender's canonical number; null for a name and the like. */
  number: z.nullable(z.string()),
  message: z.string(),
  /** When it reached the phone, UTC `YYYY-MM-DD HH:MM:SS`. */
  received_on: z.string(),
  /** Name of the phone. */
  phone: z.nullable(z.string()),
  /** What it asks for, when it is nothing but a word for that: `stop` or `start`. */
  word: z.nullable(z.string()),
})

/** A reply that holds one received text. */
export const receivedReply = z.object({ received: receivedFields, links: z.optional(links) })

/** The reply of GET /message/received. */
export const receivedListReply = z.object({ received: z.array(receivedReply) })

export type ReceivedFields = z.infer<typeof receivedFields>
export type ReceivedReply = z.infer<typeof receivedReply>
export type ReceivedListReply = z.infer<typeof receivedListReply>
