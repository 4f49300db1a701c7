import type { MessageFields } from '../../contract/message-schema.js'
import { errorText } from '../../errors.js'
import { FailureBackoff } from '../../util/async/failure-backoff.js'
import type { AttemptOutcome } from '../driver-port/attempt-outcome.js'
import type { PhoneEvent } from '../events/phone-events.js'
import type { FinishedAttempt } from '../journal/attempt-history.js'
import { type ReportResult, reportOutcome } from './report-outcome.js'
import { isTestMessage } from './send-attempt.js'
import type { WorkerContext } from './worker-context.js'

type OutcomeCounts = {
  -readonly [Name in 'handled' | AttemptOutcome['result'] | 'unreported']: number
}

interface ReportOptions {
  /** As the relay gave it; absent when an earlier run had it. */
  readonly message?: MessageFields
  readonly force?: AbortSignal
}

/** Reports what became of messages, tells of it and counts it. */
export class OutcomeReporter {
  readonly counts: OutcomeCounts = { handled: 0, sent: 0, failed: 0, unknown: 0, unreported: 0 }
  readonly #context: WorkerContext
  readonly #refusals: FailureBackoff

  constructor(context: WorkerContext) {
    this.#context = context
    this.#refusals = new FailureBackoff(context)
  }

  /** Reports an outcome until the relay has taken or refused it; throws when it does not accept the keys any more. */
  async report(
    known: FinishedAttempt,
    { message, force = this.#context.force }: ReportOptions,
  ): Promise<void> {
    const { emit, journal } = this.#context
    const delivery = await reportOutcome(known, { ...this.#context, force })
    if (delivery.report !== 'abandoned') await journal.settle(known)
    this.#count(known.outcome, delivery)
    emit(toPhoneEvent(known, delivery, message))
    if (delivery.report === 'abandoned' && !force.aborted) throw delivery.error
    await this.#afterAnswer(delivery)
  }

  /** A relay that refuses what it has asked for, again and again, is not asked at full speed. */
  async #afterAnswer(delivery: ReportResult): Promise<void> {
    if (delivery.report !== 'refused') this.#refusals.recordSuccess()
    else {
      this.#refusals.recordFailure()
      if (!this.#context.once) await this.#refusals.wait(this.#context.stop)
    }
  }

  #count(outcome: AttemptOutcome, delivery: ReportResult): void {
    this.counts.handled += 1
    this.counts[outcome.result] += 1
    if (delivery.report !== 'taken') this.counts.unreported += 1
  }
}

function toPhoneEvent(
  { id, outcome }: FinishedAttempt,
  delivery: ReportResult,
  message?: MessageFields,
): PhoneEvent {
  if (delivery.report === 'taken') return toAcceptedEvent(outcome, delivery.message, message)
  const error = errorText(delivery.error)
  if (delivery.report === 'abandoned') {
    return { event: 'abandoned', id, outcome: outcome.result, error }
  }
  return { event: 'refused', id, outcome: outcome.result, code: delivery.error.code, error }
}

function toAcceptedEvent(outcome: AttemptOutcome, now: MessageFields, message = now): PhoneEvent {
  const { id } = message
  const test = isTestMessage(message)
  if (outcome.result === 'sent') return { event: 'sent', id, parts: outcome.parts, test }
  const { result, error } = outcome
  if (result === 'unknown') return { event: 'unknown', id, error, status: now.status }
  return { event: 'failed', id, error, status: now.status, test }
}
