import { RelayError } from '../../errors.js'
import { block } from './claim.js'
import {
  type Change,
  isWaiting,
  type Lease,
  type Message,
  maxAttempts,
  type Revision,
  retryStep,
  revised,
  statusNames,
  withStatus,
} from './message.js'

/** What an account wants of a message whose outcome nobody knows (DESIGN: leases). */
export type DeliveryMode = 'at-least-once' | 'at-most-once'

/** Both {@link DeliveryMode}s. */
export const deliveryModes = ['at-least-once', 'at-most-once'] as const

/** Who reports, when, and under which idempotency key. */
export interface Reporter {
  /** Identifier of the reporting token. */
  readonly holder: string
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly key?: string
}

/** A success report: the number of parts that were needed. */
export interface Success {
  readonly parts: number
}

/** A failure report: what telephony said, and whether it is known that nothing was sent. */
export interface Failure {
  readonly error: string
  readonly outcome: 'failed' | 'unknown'
}

/** How a phone gives a message back. */
export interface Release {
  /** Milliseconds before it is handed out again. @default when it was due */
  readonly retryAfter?: number
}

/**
 * Decides a success report: N or E becomes S and fires message.sent; the same report again changes nothing.
 * Throws `invalid_state` (SPEC.md section 3).
 */
export function reportSuccess(message: Message, report: Success, by: Reporter): Change {
  if (message.status === 'S' && (message.parts === report.parts || isRepeat(message, by))) return {}
  assertReportable(message, by)
  const sent = withStatus(message, 'S', by.now, {
    failures: 0,
    parts: report.parts,
    lease: undefined,
    retryAt: undefined,
    ...keyOf(by),
  })
  return { message: sent, events: ['message.sent'] }
}

/**
 * Decides a failure report: one more failure gives E and a later retry, the fifth gives F and fires
 * message.failed; an unknown outcome locks the message in at-most-once mode. Throws `invalid_state`
 * (SPEC.md section 3).
 */
export function reportFailure(
  message: Message,
  report: Failure,
  by: Reporter,
  mode: DeliveryMode,
): Change {
  if (isRepeat(message, by)) return {}
  assertReportable(message, by)
  const failures = Math.min(message.failures + 1, maxAttempts)
  const said: Revision = { error: report.error, lease: undefined, ...keyOf(by) }
  if (report.outcome === 'unknown' && mode === 'at-most-once') {
    return { message: withStatus(message, 'L', by.now, said) }
  }
  if (failures >= maxAttempts) {
    const failed = withStatus(message, 'F', by.now, { ...said, failures, retryAt: undefined })
    return { message: failed, events: ['message.failed'] }
  }
  const retryAt = by.now + failures * retryStep
  const lease = leaseAfter(message, by)
  return { message: withStatus(message, 'E', by.now, { ...said, failures, retryAt, lease }) }
}

/**
 * Decides that a phone gives a message back unsent: its lease ends, nothing is counted, and the message is due again as it
 * was, or later when so asked. Where nobody holds it nothing changes. Throws `invalid_state` when another phone holds it or
 * it does not wait (README: leases). One whose number was listed meanwhile is blocked.
 */
export function release(
  message: Message,
  { retryAfter }: Release,
  by: Reporter,
  facts: { readonly blocked: boolean },
): Change {
  if (!isWaiting(message)) throw notReportable(message)
  if (message.lease === undefined) return {}
  if (message.lease.holder !== by.holder) {
    throw new RelayError(
      'invalid_state',
      'Another phone holds the message; only that one can give it back.',
    )
  }
  if (facts.blocked) return block(message, by.now)
  const later = retryAfter === undefined ? {} : { retryAt: by.now + retryAfter }
  return { message: revised(message, { lease: undefined, lastHolder: undefined, ...later }) }
}

/** A message may be reported while it waits, or when it was locked in the hands of the one who reports. */
function assertReportable(message: Message, by: Reporter): void {
  if (isWaiting(message)) return
  if (message.status === 'L' && message.lastHolder === by.holder) return
  throw notReportable(message)
}

function notReportable({ status }: Message): RelayError {
  return new RelayError(
    'invalid_state',
    `The message is ${statusNames[status]}; only a new or error message can be reported on.`,
  )
}

/** A report by somebody else leaves the lease with the one who holds it, as long as the message waits. */
function leaseAfter({ lease }: Message, by: Reporter): Lease | undefined {
  return lease?.holder === by.holder ? undefined : lease
}

function isRepeat(message: Message, by: Reporter): boolean {
  return by.key !== undefined && by.key === message.reportKey
}

function keyOf(by: Reporter): Revision {
  return by.key === undefined ? {} : { reportKey: by.key }
}
