import { type Change, isWaiting, type Message, revised, withStatus } from './message.js'
import type { DeliveryMode } from './report.js'

/** Who asks for the next message, when, and how long it may keep it. */
export interface Claim {
  /** Identifier of the claiming token. */
  readonly holder: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Length of the lease in milliseconds. */
  readonly lease: number
  readonly mode: DeliveryMode
}

/** A decision on a candidate of NEXT: `given` when the claimer gets it. */
export interface Claimed extends Change {
  readonly given: boolean
}

/**
 * Decides whether a due message goes to the claimer: a listed number is blocked instead, a message whose
 * lease ended unreported is locked in at-most-once mode (DESIGN: leases).
 */
export function claim(message: Message, by: Claim, facts: { blocked: boolean }): Claimed {
  if (facts.blocked) return { ...block(message, by.now), given: false }
  const heldByOther = message.lease !== undefined && message.lease.holder !== by.holder
  const ended = message.lease !== undefined && message.lease.until <= by.now
  if (heldByOther && !ended) return { given: false }
  if (ended && by.mode === 'at-most-once') {
    return { ...lapse(message, by.now, by.mode), given: false }
  }
  const lease = { holder: by.holder, until: by.now + by.lease }
  return { message: revised(message, { lease, lastHolder: by.holder }), given: true }
}

/**
 * Decides what becomes of a lease that ended unreported: in at-most-once mode the message is locked for a
 * person to decide, otherwise it is simply available again.
 */
export function lapse(message: Message, now: number, mode: DeliveryMode): Change {
  if (!isWaiting(message) || message.lease === undefined || message.lease.until > now) return {}
  if (mode === 'at-least-once') return {}
  const error = 'The phone that took this message never said what became of it.'
  return { message: withStatus(message, 'L', now, { error, lease: undefined }) }
}

/** Blacklists a message and fires message.blocked (SPEC.md sections 3 and 6). */
export function block(message: Message, now: number): Change {
  const blocked = withStatus(message, 'B', now, { lease: undefined })
  return { message: blocked, events: ['message.blocked'] }
}
