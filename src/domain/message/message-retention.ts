import type { Status } from './message.js'

/**
 * Rule: states in which a message is removed after its retention; until then a deleted one can be
 * undeleted.
 */
export const removableStatuses = ['S', 'F', 'B', 'D'] as const satisfies readonly Status[]

/** An event has a time up to this many milliseconds after the `statusAt` of its message. */
export const eventDelay = 1000

/** Rule: milliseconds for which a repeated request gets the first result of its idempotency key. */
export const idempotencyKeyLifetime = 24 * 60 * 60 * 1000

/** Retention of delivered events in milliseconds, unless that of messages is shorter. */
export const eventRetention = 30 * 24 * 60 * 60 * 1000

/** Delivered events to retain at most, for each account and event name. */
export const maxRetainedEvents = 100_000

/** Rule: milliseconds for which logged webhook deliveries are retained. */
export const deliveryRetention = 30 * 24 * 60 * 60 * 1000
