import {
  type Attempt,
  type LeaseEnd,
  listAttempts,
  listReleases,
  noReportError,
} from '../../../../domain/message/attempts.js'
import { explainFailure } from '../../../../domain/message/failure-reason.js'
import type { Message } from '../../../../domain/message/message.js'
import type { LeaseView } from '../../../services/phones/find-lease.js'
import { type Child, Fragment, type Html, h } from '../../components/html.js'
import type { IconName } from '../../components/icons.js'
import type { Tone } from '../../components/pill.js'
import { Time } from '../../components/time.js'

export interface HistoryEntry {
  /** Milliseconds since the epoch; absent for what can happen at any time. */
  readonly at?: number | undefined
  readonly icon: IconName
  readonly tone?: Tone
  readonly title: string
  readonly text?: Child
  readonly said?: string | undefined
}

export function listLeaseEnds(message: Message): HistoryEntry[] {
  return [...listFailures(message), ...listReleases(message).map(describeRelease)]
}

/** Milliseconds; who had a message for less had it at the time of the entry. */
const minHolding = 60_000

/**
 * Which phone had the message, and since when if that was long.
 * @param otherwise for a phone of which only the name is known
 */
export function describeHolder(
  { phone, beganAt, at }: LeaseEnd,
  otherwise: (phone: string) => string,
): Html | string | undefined {
  if (beganAt === undefined || at - beganAt < minHolding)
    return phone === undefined ? undefined : otherwise(phone)
  return (
    <>
      {phone === undefined ? 'A phone' : `The phone ${phone}`} had the message since{' '}
      <Time at={beganAt} exact />.
    </>
  )
}

function listFailures(message: Message): HistoryEntry[] {
  const { failures, status } = message
  const unsent = listAttempts(message).filter(({ outcome }) => outcome !== 'sent')
  const reported = unsent.filter(({ error }) => error !== noReportError)
  // The success of a sent message has reset its failures.
  const isComplete = reported.length === failures || status === 'S'
  return unsent.map(each => {
    const count = reported.indexOf(each) + 1
    if (count === 0) return describeNoReport(each)
    return describeAttempt(each, isComplete ? count : undefined)
  })
}

function describeNoReport(lease: LeaseEnd): HistoryEntry {
  const { at, phone } = lease
  return {
    ...{ at, icon: 'warn', tone: 'warn', title: `No report from ${phone ?? 'the phone'}` },
    text: (
      <>
        {describeHolder(lease, name => `The phone ${name} had the message.`)} Its lease ended
        without a report, so nobody knows whether the text was sent.
      </>
    ),
  }
}

export function describeEndedLease({ phone, beganAt, endsAt: at }: LeaseView): HistoryEntry {
  const entry = describeNoReport({ at, beganAt, phone })
  return { ...entry, text: <>{entry.text} The phone can still report.</> }
}

function describeRelease(lease: LeaseEnd): HistoryEntry {
  const { at, phone } = lease
  return {
    ...{ at, icon: 'back', title: `Given back by ${phone ?? 'a phone'}` },
    text: (
      <>{describeHolder(lease, name => `The phone ${name} had the message.`)} It was not sent.</>
    ),
  }
}

function describeAttempt(attempt: Attempt, count: number | undefined): HistoryEntry {
  const { at, outcome, error = '' } = attempt
  const name = count === undefined ? 'An attempt' : `Attempt ${count}`
  const reason = explainFailure(error)
  const isFailed = outcome === 'failed'
  const title = isFailed ? `${name} failed` : 'The outcome of an attempt is unknown'
  const by = describeHolder(attempt, name => `The phone ${name} reported it.`)
  const text = (
    <>
      {reason} {by}
    </>
  )
  return {
    ...{ at, icon: 'cross', tone: 'bad', title },
    text: (reason ?? by) === undefined ? undefined : text,
    said: error === '' ? undefined : error,
  }
}
