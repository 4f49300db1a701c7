import * as z from 'zod/mini'

/** The header fields of NEXT and of reports by which a phone says who it is (README: phones). */
export const phoneHeaders = { name: 'x-phone-name', driver: 'x-phone-driver' } as const

/** What is known of a phone; times are UTC `YYYY-MM-DD HH:MM:SS`. */
export const phoneFields = z.object({
  name: z.string(),
  driver: z.string(),
  first_next_on: z.string(),
  /** When it last asked for a message, or waited for one. */
  last_next_on: z.string(),
  last_success_on: z.nullable(z.string()),
  last_failure_on: z.nullable(z.string()),
  /** Whether it neither asked nor waited for five minutes in which the service ran. */
  silent: z.boolean(),
})

/** The reply of DELETE /phone/<name>: what was known of it. */
export const phoneReply = z.object({ phone: phoneFields })

/** The reply of GET /phone. */
export const phoneListReply = z.object({ phones: z.array(phoneReply) })

/** How much of an account waits to be sent; due and leased are to the second. */
export const queueFields = z.object({
  /** New and error messages: due, in a phone's hands, or for later. */
  waiting: z.number(),
  due: z.number(),
  /** Those in a phone's hands. */
  leased: z.number(),
  /** Since when the one that is given next is due, UTC; null when none is due. */
  oldest_due_on: z.nullable(z.string()),
  /** The service's clock at this count, UTC. */
  counted_on: z.string(),
})

/** The reply of GET /message/queue. */
export const queueReply = z.object({ queue: queueFields })

export type PhoneFields = z.infer<typeof phoneFields>
export type PhoneReply = z.infer<typeof phoneReply>
export type PhoneListReply = z.infer<typeof phoneListReply>
export type QueueFields = z.infer<typeof queueFields>
export type QueueReply = z.infer<typeof queueReply>
