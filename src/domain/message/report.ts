import { RelayError } from '../../errors.js'
import { blockMessage } from './claim.js'
import {
  changeStatus,
  isWaiting,
  type Lease,
  type Message,
  type MessageChange,
  maxAttempts,
  type Revision,
  retryStep,
  reviseMessage,
  statusNames,
} from './message.js'

/** What an account wants of a message whose outcome nobody knows (DESIGN: leases). */
export type DeliveryMode = 'at-least-once' | 'at-most-once'

/** Both {@link DeliveryMode}s. */
export const deliveryModes = ['at-least-once', 'at-most-once'] as const

/** Who reports, when, and under which idempotency key. */
export interface ReportSource {
  /** Identifier of the reporting token. */
  readonly holder: string
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly key?: string
}

/** A success report: the number of parts that were needed. */
export interface SuccessReport {
  readonly parts: number
}

/** A failure report: what telephony said, and whether it is known that nothing was sent. */
export interface FailureReport {
  readonly error: string
  readonly outcome: 'failed' | 'unknown'
}

/** How a phone gives a message back. */
export interface ReleaseRequest {
  /** Milliseconds before it is handed out again. @default when it was due */
  readonly retryAfter?: number
}

/**
 * Decides a success report: N or E becomes S and fires message.sent; the same report again changes nothing.
 * Throws `invalid_state` (SPEC.md section 3).
 */
export function reportSuccess(
  message: Message,
  report: SuccessReport,
  by: ReportSource,
): MessageChange {
  if (message.status === 'S' && (message.parts === report.parts || isRepeat(message, by))) return {}
  assertReportable(message, by)
  const sent = changeStatus(message, 'S', by.now, {
    failures: 0,
    parts: report.parts,
    lease: undefined,
    retryAt: undefined,
    ...toReportKey(by),
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
  report: FailureReport,
  by: ReportSource,
  mode: DeliveryMode,
): MessageChange {
  if (isRepeat(message, by)) return {}
  assertReportable(message, by)
  const failures = Math.min(message.failures + 1, maxAttempts)
  const said: Revision = { error: report.error, lease: undefined, ...toReportKey(by) }
  if (report.outcome === 'unknown' && mode === 'at-most-once') {
    return { message: changeStatus(message, 'L', by.now, said) }
  }
  if (failures >= maxAttempts) {
    const failed = changeStatus(message, 'F', by.now, { ...said, failures, retryAt: undefined })
    return { message: failed, events: ['message.failed'] }
  }
  const retryAt = by.now + failures * retryStep
  const lease = getRemainingLease(message, by)
  return { message: changeStatus(message, 'E', by.now, { ...said, failures, retryAt, lease }) }
}

/**
 * Decides that a phone gives a message back unsent: its lease ends, nothing is counted, and the message is due again as it
 * was, or later when so asked. Where nobody holds it nothing changes. Throws `invalid_state` when another phone holds it or
 * it does not wait (README: leases). One whose number was listed meanwhile is blocked.
 */
export function releaseMessage(
  message: Message,
  { retryAfter }: ReleaseRequest,
  by: ReportSource,
  facts: { readonly blocked: boolean },
): MessageChange {
  if (!isWaiting(message)) throw notReportableError(message)
  if (message.lease === undefined) return {}
  if (message.lease.holder !== by.holder) {
    throw new RelayError(
      'invalid_state',
      'Another phone holds the message; only that one can give it back.',
    )
  }
  if (facts.blocked) return blockMessage(message, by.now)
  const later = retryAfter === undefined ? {} : { retryAt: by.now + retryAfter }
  return { message: reviseMessage(message, { lease: undefined, lastHolder: undefined, ...later }) }
}

/** A message may be reported while it waits, or when it was locked in the hands of the one who reports. */
function assertReportable(message: Message, by: ReportSource): void {
  if (isWaiting(message)) return
  if (message.status === 'L' && message.lastHolder === by.holder) return
  throw notReportableError(message)
}

function notReportableError({ status }: Message): RelayError {
  return new RelayError(
    'invalid_state',
    `The message is ${statusNames[status]}; only a new or error message can be reported on.`,
  )
}

/** A report by somebody else leaves the lease with the one who holds it, as long as the message waits. */
function getRemainingLease({ lease }: Message, by: ReportSource): Lease | undefined {
  return lease?.holder === by.holder ? undefined : lease
}

function isRepeat(message: Message, by: ReportSource): boolean {
  return by.key !== undefined && by.key === message.reportKey
}

function toReportKey(by: ReportSource): Revision {
  return by.key === undefined ? {} : { reportKey: by.key }
}
