import { RelayError } from '../../errors.js'
import { appendLine } from '../../util/text/append-line.js'
import type { DeliveryMode } from '../account/account.js'
import { addAttempt, addRelease, addSuccess, type LeaseEnd } from './attempts.js'
import { blockMessage } from './claim.js'
import {
  changeStatus,
  getLeaseStart,
  isStopped,
  isWaiting,
  type Message,
  type MessageChange,
  maxAttempts,
  noLease,
  type Revision,
  retryStep,
  reviseMessage,
  statusNames,
} from './message.js'

export interface ReportSource {
  readonly holder: string
  readonly now: number
  readonly key?: string | undefined
  readonly phone?: string | undefined
  readonly lease?: number | undefined
}

export interface SuccessReport {
  readonly parts: number
}

export interface FailureReport {
  readonly error: string
  readonly outcome: 'failed' | 'unknown'
  /**
   * Milliseconds until the failed message is due again, at least. @default the delay of its
   * failures
   */
  readonly retryAfter?: number
}

export interface ReleaseRequest {
  /** Milliseconds until a released message is due again. @default the time it was due */
  readonly retryAfter?: number
}

/**
 * Applies a phone's success report: a message in N or E becomes S and `message.sent` is recorded. A
 * repeated report changes nothing. Throws `invalid_state` (docs/reference/interface.md 3).
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
    ...noLease,
    retryAt: undefined,
    leases: addSuccess(message, toLeaseEnd(message, by)),
    ...toReportedBy(by),
  })
  return { message: sent, events: ['message.sent'] }
}

/**
 * Applies a phone's failure report: a message becomes E with a later retry; after the fifth failure
 * F and `message.failed`. In at-most-once mode an unknown outcome locks the message. One that a
 * user locked stays locked. Throws `invalid_state` (docs/reference/interface.md 3).
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
  const reportedBy = { ...toReportedBy(by), reportKey: addKey(message, by) }
  const attempts = addAttempt(message, { ...report, ...toLeaseEnd(message, by) })
  const reported: Revision = { error: report.error, attempts, ...noLease, ...reportedBy }
  if (report.outcome === 'unknown' && mode === 'at-most-once') {
    return { message: changeStatus(message, 'L', by.now, reported) }
  }
  if (failures >= maxAttempts) {
    const failed = changeStatus(message, 'F', by.now, { ...reported, failures, retryAt: undefined })
    return { message: failed, events: ['message.failed'] }
  }
  // Failures reported by another phone do not end the lease.
  const isHolder = message.lease?.holder === by.holder
  const retry: Revision = {
    ...reported,
    failures,
    retryAt: by.now + Math.max(failures * retryStep, report.retryAfter ?? 0),
    ...(isHolder ? {} : { lease: message.lease, leasedAt: message.leasedAt }),
    lastHolder: message.lastHolder === by.holder ? undefined : message.lastHolder,
  }
  // A locked message with a lease was locked by a user.
  const status = message.status === 'L' && isHolder ? 'L' : 'E'
  return { message: changeStatus(message, status, by.now, retry) }
}

/**
 * Ends the lease of an unsent message: nothing is counted, and it is due again as before, or later
 * as the request says. If its number is on a Do Not Text list by now, it is blocked. A locked
 * message stays locked. Without a lease nothing changes. Throws `invalid_state` if another phone
 * holds the lease, or the message neither waits nor has one.
 */
export function releaseMessage(
  message: Message,
  { retryAfter }: ReleaseRequest,
  by: ReportSource,
  facts: { readonly blocked: boolean },
): MessageChange {
  if (message.lease === undefined && !isWaiting(message)) throw notReportableError(message)
  if (message.lease === undefined) return {}
  if (message.lease.holder !== by.holder) {
    throw new RelayError(
      'invalid_state',
      'Another phone holds the message; only that phone can release it.',
    )
  }
  if (isStopped(message, facts) && isWaiting(message)) return blockMessage(message, by.now)
  const later = retryAfter === undefined ? {} : { retryAt: by.now + retryAfter }
  const leases = addRelease(message, toLeaseEnd(message, by))
  const released = { ...noLease, lastHolder: undefined, leases, ...later }
  return { message: reviseMessage(message, released) }
}

function toLeaseEnd(message: Message, { holder, now: at, phone, lease }: ReportSource): LeaseEnd {
  const beganAt = message.lease?.holder === holder ? getLeaseStart(message, lease) : undefined
  return { at, beganAt: beganAt === undefined ? undefined : Math.min(beganAt, at), phone }
}

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

function isRepeat({ reportKey }: Message, { key }: ReportSource): boolean {
  if (key === undefined || reportKey === undefined) return false
  return `\n${reportKey}\n`.includes(`\n${key}\n`)
}

/** Adds the key of a failure: its report may be repeated after that of another phone. */
function addKey({ reportKey }: Message, { key }: ReportSource): string | undefined {
  if (key === undefined || reportKey === undefined) return key ?? reportKey
  return appendLine(reportKey, key, maxAttempts)
}

function toReportedBy({ key, phone }: ReportSource): Revision {
  return key === undefined ? { phone } : { phone, reportKey: key }
}
