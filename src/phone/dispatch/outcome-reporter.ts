import type { MessageFields } from '../../contract/message-schema.js'
import { errorText, isRelayError, type RelayError } from '../../errors.js'
import { runWithGrace } from '../../util/async/abort.js'
import { FailureBackoff } from '../../util/async/failure-backoff.js'
import type { AttemptOutcome } from '../driver-port/attempt-outcome.js'
import type { PhoneEvent } from '../events/phone-events.js'
import type { FinishedAttempt } from '../journal/attempt-history.js'
import { classifyRelayError, explainRelayError, getRequestedWait } from '../relay/relay-error.js'
import { isTestMessage } from './send-attempt.js'
import type { WorkerContext } from './worker-context.js'

/** Milliseconds. */
const graceAfterForce = 5000

type OutcomeCounts = {
  -readonly [Name in 'handled' | AttemptOutcome['result'] | 'unreported']: number
}

type ReportResult =
  | { readonly report: 'accepted'; readonly message: MessageFields }
  | { readonly report: 'refused'; readonly error: RelayError }
  | { readonly report: 'abandoned'; readonly error: unknown }

interface ReportOptions {
  /** Message as NEXT returned it; absent for an attempt of an earlier run of the phone. */
  readonly message?: MessageFields
  readonly force?: AbortSignal
}

export class OutcomeReporter {
  readonly counts: OutcomeCounts = { handled: 0, sent: 0, failed: 0, unknown: 0, unreported: 0 }
  readonly #context: WorkerContext
  readonly #refusals: FailureBackoff

  constructor(context: WorkerContext) {
    this.#context = context
    this.#refusals = new FailureBackoff(context)
  }

  /**
   * Reports a message's outcome until the relay accepts or rejects it. Throws if it rejects the
   * keys.
   */
  async report(
    finished: FinishedAttempt,
    { message, force = this.#context.force }: ReportOptions,
  ): Promise<void> {
    const { emit, journal } = this.#context
    const result = await this.#reportUntilAnswered(finished, force)
    if (result.report !== 'abandoned') await journal.settle(finished)
    this.#count(finished.outcome, result)
    emit(toPhoneEvent(finished, result, message))
    if (result.report === 'abandoned' && !force.aborted) throw result.error
    await this.#waitAfterRefusal(result)
  }

  /**
   * Each report of a phone has the idempotency key of its attempt. Only a forced stop, which leaves
   * one last try, or rejected keys end the retries.
   */
  async #reportUntilAnswered(finished: FinishedAttempt, force: AbortSignal): Promise<ReportResult> {
    const { relayBackoff, emit, clock } = this.#context
    const { id } = finished
    const startedAt = clock.monotonic()
    for (let isRetry = false; ; isRetry = true) {
      const isLast = force.aborted
      try {
        const message = await this.#reportOnce(finished, force)
        if (relayBackoff.recordSuccess()) emit({ event: 'online' })
        if (isRetry) emit({ event: 'reported-late', id, delay: clock.monotonic() - startedAt })
        return { report: 'accepted', message }
      } catch (error) {
        const result = getFinalResult(error, isLast)
        if (result !== undefined) return result
        if (relayBackoff.recordFailure()) emit({ event: 'offline', id, error: errorText(error) })
        await relayBackoff.wait(force, getRequestedWait(error))
      }
    }
  }

  async #reportOnce(
    { id, outcome, key: idempotencyKey }: FinishedAttempt,
    force: AbortSignal,
  ): Promise<MessageFields> {
    const { client, clock } = this.#context
    return await runWithGrace(force, graceAfterForce, clock.sleep, async signal => {
      const options = { idempotencyKey, signal }
      if (outcome.result === 'sent') {
        return await client.messages.reportSuccess(id, { parts: outcome.parts }, options)
      }
      const failure = { error_message: outcome.error, outcome: outcome.result }
      return await client.messages.reportFailure(id, failure, options)
    })
  }

  async #waitAfterRefusal({ report }: ReportResult): Promise<void> {
    const { once, stop } = this.#context
    if (report !== 'refused') {
      this.#refusals.recordSuccess()
      return
    }
    this.#refusals.recordFailure()
    if (!once) await this.#refusals.wait(stop)
  }

  #count(outcome: AttemptOutcome, { report }: ReportResult): void {
    this.counts.handled += 1
    this.counts[outcome.result] += 1
    if (report !== 'accepted') this.counts.unreported += 1
  }
}

function getFinalResult(error: unknown, isLast: boolean): ReportResult | undefined {
  const kind = classifyRelayError(error)
  if (kind === 'refused' && isRelayError(error)) return { report: 'refused', error }
  if (kind === 'fatal' || isLast) return { report: 'abandoned', error: explainRelayError(error) }
  return undefined
}

function toPhoneEvent(
  { id, outcome }: FinishedAttempt,
  result: ReportResult,
  message?: MessageFields,
): PhoneEvent {
  if (result.report === 'accepted') return toAcceptedEvent(outcome, result.message, message)
  const error = errorText(result.error)
  if (result.report === 'abandoned') {
    return { event: 'abandoned', id, outcome: outcome.result, error }
  }
  return { event: 'refused', id, outcome: outcome.result, code: result.error.code, error }
}

function toAcceptedEvent(
  outcome: AttemptOutcome,
  reported: MessageFields,
  message = reported,
): PhoneEvent {
  const { id } = message
  const test = isTestMessage(message)
  if (outcome.result === 'sent') return { event: 'sent', id, parts: outcome.parts, test }
  const { result, error } = outcome
  if (result === 'unknown') return { event: 'unknown', id, error, status: reported.status }
  return { event: 'failed', id, error, status: reported.status, test }
}
