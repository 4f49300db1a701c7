import {
  changeStatus,
  isWaiting,
  type Message,
  type MessageChange,
  reviseMessage,
} from './message.js'
import type { DeliveryMode } from './report.js'

/** Who asks for the next message, when, and how long it may keep it. */
export interface ClaimRequest {
  /** Identifier of the claiming token. */
  readonly holder: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Length of the lease in milliseconds. */
  readonly lease: number
  readonly mode: DeliveryMode
}

/** A decision on a candidate of NEXT: `given` when the claimer gets it. */
export interface ClaimDecision extends MessageChange {
  readonly given: boolean
}

/**
 * Decides whether a due message goes to the claimer: a listed number is blocked instead, a message whose
 * lease ended unreported is locked in at-most-once mode (DESIGN: leases).
 */
export function claimMessage(
  message: Message,
  by: ClaimRequest,
  facts: { blocked: boolean },
): ClaimDecision {
  if (facts.blocked) return { ...blockMessage(message, by.now), given: false }
  const heldByOther = message.lease !== undefined && message.lease.holder !== by.holder
  const ended = message.lease !== undefined && message.lease.until <= by.now
  if (heldByOther && !ended) return { given: false }
  if (ended && by.mode === 'at-most-once') {
    return { ...expireLease(message, by.now, by.mode), given: false }
  }
  const lease = { holder: by.holder, until: by.now + by.lease }
  return { message: reviseMessage(message, { lease, lastHolder: by.holder }), given: true }
}

/**
 * Decides what becomes of a lease that ended unreported: in at-most-once mode the message is locked for a
 * person to decide, otherwise it is simply available again.
 */
export function expireLease(message: Message, now: number, mode: DeliveryMode): MessageChange {
  if (!isWaiting(message) || message.lease === undefined || message.lease.until > now) return {}
  if (mode === 'at-least-once') return {}
  const error = 'The phone that took this message never said what became of it.'
  return { message: changeStatus(message, 'L', now, { error, lease: undefined }) }
}

/** Blacklists a message and fires message.blocked (SPEC.md sections 3 and 6). */
export function blockMessage(message: Message, now: number): MessageChange {
  const blocked = changeStatus(message, 'B', now, { lease: undefined })
  return { message: blocked, events: ['message.blocked'] }
}
