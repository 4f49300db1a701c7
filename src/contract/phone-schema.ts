import * as z from 'zod/mini'

/**
 * The header fields of NEXT and of reports by which a phone says who it is, and of GET /message/queue by which it says
 * that it is there, at rest until a time, UTC `YYYY-MM-DD HH:MM:SS` (README: phones).
 */
export const phoneHeaders = {
  name: 'x-phone-name',
  driver: 'x-phone-driver',
  quietUntil: 'x-phone-quiet-until',
} as const

/** What is known of a phone; times are UTC `YYYY-MM-DD HH:MM:SS`. */
export const phoneFields = z.object({
  name: z.string(),
  driver: z.string(),
  /** Null, as the next, where it has only said that it is there so far. */
  first_next_on: z.nullable(z.string()),
  /** When it last asked for a message, or waited for one. */
  last_next_on: z.nullable(z.string()),
  /** When it last did so or said that it is there; absent, as the next two, from an older service. */
  last_seen_on: z.nullish(z.string()),
  /** Until when it is at rest, as it says; null when it is not. */
  quiet_until: z.nullish(z.string()),
  /** When its last rest ended; null while it is at rest, and where it never was. */
  last_quiet_on: z.nullish(z.string()),
  last_success_on: z.nullable(z.string()),
  last_failure_on: z.nullable(z.string()),
  /** Whether it gave no sign of life for five minutes in which the service ran. */
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

/** What a phone says of itself that does not ask for messages. */
export interface PresenceReport {
  /** Until when it is at rest, UTC `YYYY-MM-DD HH:MM:SS`. @default it is not */
  readonly quiet_until?: string
}

export type PhoneFields = z.infer<typeof phoneFields>
export type PhoneReply = z.infer<typeof phoneReply>
export type PhoneListReply = z.infer<typeof phoneListReply>
export type QueueFields = z.infer<typeof queueFields>
export type QueueReply = z.infer<typeof queueReply>
