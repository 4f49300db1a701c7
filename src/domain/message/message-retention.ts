import type { Status } from './message.js'

/** States of messages that a retention removes in time: final, and Deleted, which until then can be undeleted. */
export const removableStatuses = ['S', 'F', 'B', 'D'] as const satisfies readonly Status[]

/** How long delivered events are kept, in milliseconds, where the retention of messages is not shorter. */
export const eventRetention = 30 * 24 * 60 * 60 * 1000

/** How many delivered events are kept at most, of each account and name. */
export const maxRetainedEvents = 100_000

/** How long attempts at deliveries are logged, in milliseconds. */
export const deliveryRetention = 30 * 24 * 60 * 60 * 1000
