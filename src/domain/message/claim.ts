import { RelayError } from '../../errors.js'
import type { DeliveryMode } from '../account/account.js'
import { addAttempt, noReportError } from './attempts.js'
import {
  changeStatus,
  getDueTime,
  getLeaseStart,
  isStopped,
  isWaiting,
  type Lease,
  type Message,
  type MessageChange,
  noLease,
  type Revision,
  reviseMessage,
} from './message.js'

export interface ClaimRequest {
  readonly holder: string
  readonly now: number
  readonly lease: number
  readonly mode: DeliveryMode
  /** Number of the claimed message in a batch; a running lease of the same holder keeps its own. */
  readonly claim?: number
  readonly formerPhone?: string | undefined
}

type LeaseExpiry = Pick<ClaimRequest, 'now' | 'formerPhone'> & Partial<Pick<ClaimRequest, 'lease'>>

export interface ClaimDecision extends MessageChange {
  readonly given: boolean
}

/**
 * Decides whether a phone gets a message: before its due time nobody does, the lease's holder
 * included. A message to a number on a Do Not Text list is blocked instead. In at-most-once mode a
 * message whose lease ended without a report is locked.
 */
export function claimMessage(
  message: Message,
  by: ClaimRequest,
  facts: { blocked: boolean },
): ClaimDecision {
  if (getDueTime(message) > by.now) return { given: false }
  if (isStopped(message, facts)) return { ...blockMessage(message, by.now), given: false }
  const heldByOther = message.lease !== undefined && message.lease.holder !== by.holder
  const ended = getEndedLease(message, by.now) !== undefined
  if (heldByOther && !ended) return { given: false }
  if (ended && by.mode === 'at-most-once') {
    return { ...expireLease(message, by), given: false }
  }
  const held = ended ? undefined : message.lease?.claim
  const claim = by.claim === undefined ? {} : { claim: held ?? by.claim }
  const lease = { holder: by.holder, until: by.now + by.lease, ...claim }
  const begun = { lease, lastHolder: by.holder }
  const changes = ended ? { ...dropLease(message, by), ...begun } : begun
  return { message: reviseMessage(message, changes), given: true }
}

export function getEndedLease({ lease }: Message, now: number): Lease | undefined {
  return lease !== undefined && lease.until <= now ? lease : undefined
}

/** The changes of a message whose lease is dropped: one without a report is an attempt. */
export function dropLease(message: Message, { now, lease, formerPhone }: LeaseExpiry): Revision {
  const ended = getEndedLease(message, now)
  if (ended === undefined) return noLease
  const beganAt = getLeaseStart(message, lease)
  const attempt = { at: ended.until, beganAt, phone: formerPhone, error: noReportError }
  return { ...noLease, attempts: addAttempt(message, { ...attempt, outcome: 'unknown' }) }
}

/**
 * Extends the lease of the phone that holds a message. A lease that has ended is extended if no
 * other phone got the message, but not in at-most-once mode. Throws `invalid_state`, also for a
 * message to a blocked number, so that the phone releases it.
 */
export function renewLease(
  message: Message,
  by: ClaimRequest,
  facts: { readonly blocked: boolean },
): MessageChange {
  const { lease } = message
  const isRunning = lease !== undefined && lease.until > by.now
  if (lease?.holder !== by.holder || !(isRunning || by.mode === 'at-least-once')) {
    throw new RelayError(
      'invalid_state',
      'This phone does not hold the message; only its holder can renew the lease.',
    )
  }
  if (isWaiting(message) && isStopped(message, facts)) {
    throw new RelayError('invalid_state', 'The number of the message is on a Do Not Text list.')
  }
  const leasedAt = getLeaseStart(message, by.lease)
  const renewed = { ...lease, until: by.now + by.lease }
  return { message: reviseMessage(message, { lease: renewed, leasedAt }) }
}

/**
 * Decides on a lease that ended without a report: in at-most-once mode the message is locked for a
 * person to decide, otherwise it is available again.
 */
export function expireLease(
  message: Message,
  by: LeaseExpiry & Pick<ClaimRequest, 'mode'>,
): MessageChange {
  if (!isWaiting(message) || getEndedLease(message, by.now) === undefined) return {}
  if (by.mode === 'at-least-once') return {}
  const changes = { ...dropLease(message, by), error: noReportError }
  return { message: changeStatus(message, 'L', by.now, changes) }
}

export function blockListedMessage(message: Message, now: number): MessageChange {
  return isStopped(message, { blocked: true }) ? blockMessage(message, now) : {}
}

/** Blocks a message and records `message.blocked` (docs/reference/interface.md 3, 6). */
export function blockMessage(message: Message, now: number): MessageChange {
  const blocked = changeStatus(message, 'B', now, dropLease(message, { now }))
  return { message: blocked, events: ['message.blocked'] }
}
