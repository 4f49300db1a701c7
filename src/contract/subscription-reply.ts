import * as z from 'zod/mini'
import { links } from './schema/link-schema.js'

/** The fields of a subscription (SPEC.md section 2.3), and those of its lane, for who asks for them (extension). */
export const subscriptionFields = z.object({
  id: z.string(),
  event: z.string(),
  url: z.string(),
  method: z.string(),
  post: z.boolean(),
  stat_triggered: z.number(),
  /** What becomes of an event whose retries are used up: `pause` or `skip`. */
  on_exhausted: z.optional(z.string()),
  /** `active`, `retrying` or `paused`. */
  state: z.optional(z.string()),
  /** `request`, `gone` or `exhausted`; only when paused. */
  paused_because: z.optional(z.string()),
  /** Number of the last event that was delivered or passed. */
  sequence: z.optional(z.number()),
  /** When the next try is due, UTC `YYYY-MM-DD HH:MM:SS`; only when retrying. */
  retry_at: z.optional(z.string()),
})

/** A reply that holds one subscription (SPEC.md section 2.1). */
export const subscriptionReply = z.object({
  subscription: subscriptionFields,
  links: z.optional(links),
})

/** The reply to a DELETE of a subscription. */
export const subscriptionIdReply = z.object({ subscription: z.object({ id: z.string() }) })

/** The reply of GET /subscription (SPEC.md section 2.1). */
export const subscriptionListReply = z.object({ subscriptions: z.array(subscriptionReply) })

/** The reply of GET /subscription/events (README: open details). */
export const eventNamesReply = z.object({ events: z.array(z.string()) })

/** The reply of GET and POST /subscription/secret (README: extensions). */
export const signingSecretReply = z.object({ secret: z.string() })

export type SubscriptionFields = z.infer<typeof subscriptionFields>
export type SubscriptionReply = z.infer<typeof subscriptionReply>
export type SubscriptionListReply = z.infer<typeof subscriptionListReply>
export type EventNamesReply = z.infer<typeof eventNamesReply>
