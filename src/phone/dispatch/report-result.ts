import type { MessageFields } from '../../contract/message-schema.js'
import { errorText, type RelayError } from '../../errors.js'
import type { AttemptOutcome } from '../driver-port/attempt-outcome.js'
import type { PhoneEvent } from '../events/phone-events.js'
import type { FinishedAttempt } from '../journal/attempt-history.js'
import type { PhoneReport } from '../relay/relay-steps.js'
import { isTestMessage } from './send-attempt.js'

export type ReportResult =
  | { readonly report: 'accepted'; readonly message: MessageFields | undefined }
  | { readonly report: 'refused'; readonly error: RelayError }
  | { readonly report: 'abandoned'; readonly error: unknown }

/** Outcomes of one run of the phone; `unreported` are those that the relay did not accept. */
export type OutcomeCounts = {
  -readonly [Name in 'handled' | AttemptOutcome['result'] | 'unreported']: number
}

export function countOutcome(
  counts: OutcomeCounts,
  { result }: AttemptOutcome,
  { report }: ReportResult,
): void {
  counts.handled += 1
  counts[result] += 1
  if (report !== 'accepted') counts.unreported += 1
}

export function toPhoneReport({ id, key, outcome }: FinishedAttempt): PhoneReport {
  if (outcome.result === 'sent') return { id, idempotency_key: key, parts: outcome.parts }
  return { id, idempotency_key: key, error: outcome.error, outcome: outcome.result }
}

export function toPhoneEvent(
  { id, outcome }: FinishedAttempt,
  result: ReportResult,
  message?: MessageFields,
): PhoneEvent {
  if (result.report === 'accepted') return toAcceptedEvent(id, outcome, result.message, message)
  const error = errorText(result.error)
  if (result.report === 'abandoned') {
    return { event: 'abandoned', id, outcome: outcome.result, error }
  }
  return { event: 'refused', id, outcome: outcome.result, code: result.error.code, error }
}

function toAcceptedEvent(
  id: string,
  outcome: AttemptOutcome,
  reported: MessageFields | undefined,
  message = reported,
): PhoneEvent {
  const test = message !== undefined && isTestMessage(message)
  if (outcome.result === 'sent') return { event: 'sent', id, parts: outcome.parts, test }
  const { result, error } = outcome
  // An outcome that is not of a sent message has a reply with the message.
  const status = reported?.status ?? 'E'
  if (result === 'unknown') return { event: 'unknown', id, error, status }
  return { event: 'failed', id, error, status, test }
}
