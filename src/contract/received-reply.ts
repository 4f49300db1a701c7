import * as z from 'zod/mini'
import { links } from './schema/link-schema.js'

/** The fields of a text that reached a phone (README: received texts). */
export const receivedTextFields = z.object({
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
export const receivedTextReply = z.object({
  received: receivedTextFields,
  links: z.optional(links),
})

/** The reply of GET /message/received. */
export const receivedTextListReply = z.object({ received: z.array(receivedTextReply) })

export type ReceivedTextFields = z.infer<typeof receivedTextFields>
export type ReceivedTextReply = z.infer<typeof receivedTextReply>
export type ReceivedTextListReply = z.infer<typeof receivedTextListReply>
