import type { EventName } from './events.js'

/** A subscription as kept, with its place in the order of events (SPEC.md section 2.3). */
export interface Subscription {
  readonly id: string
  readonly account: string
  readonly event: EventName
  readonly url: string
  readonly method: string
  readonly post: boolean
  readonly triggered: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** The last event that was delivered or given up: later events still have to be. */
  readonly cursor: number
  /** The event now being tried again, when its first hit failed. */
  readonly trying?: Trying
}

/** A delivery that has failed at least once and is tried again. */
export interface Trying {
  readonly seq: number
  readonly attempts: number
  /** Milliseconds since the epoch. */
  readonly firstAt: number
  /** Milliseconds since the epoch. */
  readonly retryAt: number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Waits before each retry of a hit, in milliseconds; the last repeats. */
export const hitRetryDelays: readonly number[] = [
  1 * second,
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
]

/** How long a hit is tried in all, in milliseconds. */
export const hitPatience = 72 * hour

/** The subscription after a hit that counts: the event is done, and counted if this was its first hit. */
export function hitSucceeded(subscription: Subscription, seq: number): Subscription {
  const { trying, ...rest } = subscription
  return { ...rest, cursor: seq, triggered: rest.triggered + (trying?.seq === seq ? 0 : 1) }
}

/**
 * The subscription after a hit that failed: it is tried again after the next delay of
 * {@link hitRetryDelays}, and given up after {@link hitPatience}.
 */
export function hitFailed(subscription: Subscription, seq: number, now: number): Subscription {
  const { trying, ...rest } = subscription
  const earlier = trying?.seq === seq ? trying : undefined
  const attempts = (earlier?.attempts ?? 0) + 1
  const firstAt = earlier?.firstAt ?? now
  const triggered = rest.triggered + (earlier === undefined ? 1 : 0)
  const delay = hitRetryDelays[attempts - 1] ?? hour
  if (now + delay - firstAt > hitPatience) return { ...rest, triggered, cursor: seq }
  return { ...rest, triggered, trying: { seq, attempts, firstAt, retryAt: now + delay } }
}
