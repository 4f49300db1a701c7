import * as z from 'zod/mini'
import { links } from './link.js'

/** The fields of a subscription (SPEC.md section 2.3). */
export const subscriptionFields = z.object({
  id: z.string(),
  event: z.string(),
  url: z.string(),
  method: z.string(),
  post: z.boolean(),
  stat_triggered: z.number(),
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
export const eventsReply = z.object({ events: z.array(z.string()) })

/** The reply of GET and POST /subscription/secret (README: extensions). */
export const hookSecretReply = z.object({ secret: z.string() })

export type SubscriptionFields = z.infer<typeof subscriptionFields>
export type SubscriptionReply = z.infer<typeof subscriptionReply>
export type SubscriptionListReply = z.infer<typeof subscriptionListReply>
export type EventsReply = z.infer<typeof eventsReply>
