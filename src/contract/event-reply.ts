import * as z from 'zod/mini'

/** A recorded event, as pages and streams show it (README: the event stream). */
export const eventFields = z.object({
  /** Place in the order of all events; only grows. */
  sequence: z.number(),
  event: z.string(),
  /** What it is about: a message to send, or a text that reached a phone. */
  message: z.optional(z.object({ id: z.string() })),
  received: z.optional(z.object({ id: z.string() })),
  /** When it happened, UTC `YYYY-MM-DD HH:MM:SS`. */
  at: z.string(),
})

/** The reply of GET /event. */
export const eventPageReply = z.object({
  events: z.array(z.object({ event: eventFields })),
  /** Number of the account's newest event; 0 when there was none. */
  last: z.number(),
  /** Whether events after the asked-for place are no longer kept. */
  missing: z.optional(z.boolean()),
})

/** What a stream says where events are no longer kept: those between this place and the next event. */
export const missingFields = z.object({ after: z.number() })

export type EventFields = z.infer<typeof eventFields>
export type EventPageReply = z.infer<typeof eventPageReply>
export type MissingFields = z.infer<typeof missingFields>
