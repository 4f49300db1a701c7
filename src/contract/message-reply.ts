import * as z from 'zod/mini'
import { type Status, sources, statusNames } from '../domain/message/message.js'
import { links } from './schema/link-schema.js'

const statuses = Object.keys(statusNames) as [Status, ...Status[]]

/** The fields of a message (SPEC.md section 2.2). */
export const messageFields = z.object({
  id: z.string(),
  destination: z.string(),
  message: z.string(),
  created_on: z.string(),
  send_on: z.string(),
  status: z.enum(statuses),
  status_date: z.string(),
  source: z.enum(sources),
  failure_count: z.number(),
})

/** A reply that holds one message in full (SPEC.md section 2.1). */
export const messageReply = z.object({ message: messageFields, links: z.optional(links) })

/** A reply that holds only the id of a message (SPEC.md section 4.2). */
export const messageIdReply = z.object({
  message: z.object({ id: z.string() }),
  links: z.optional(links),
})

/** The reply of GET /message (SPEC.md section 2.1). */
export const messageListReply = z.object({ messages: z.array(messageReply) })

export type MessageFields = z.infer<typeof messageFields>
export type MessageReply = z.infer<typeof messageReply>
export type MessageIdReply = z.infer<typeof messageIdReply>
export type MessageListReply = z.infer<typeof messageListReply>
