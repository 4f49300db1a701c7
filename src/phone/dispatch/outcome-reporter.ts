import type { MessageFields } from '../../contract/message-schema.js'
import { Outage } from '../../util/async/failure-backoff.js'
import type { Outcome } from '../driver-port/attempt-outcome.js'
import type { PhoneEvent } from '../events/phone-events.js'
import type { Known } from '../journal/attempt-history.js'
import { sentence } from '../relay/relay-error.js'
import { type Delivery, report } from './report-outcome.js'
import { isTest } from './send-attempt.js'
import type { PhoneContext } from './worker-context.js'

type Counts = { -readonly [Name in 'handled' | Outcome['result'] | 'unreported']: number }

interface Reporting {
  /** As the relay gave it; absent when an earlier run had it. */
  readonly message?: MessageFields
  readonly force?: AbortSignal
}

/** Reports what became of messages, tells of it and counts it. */
export class Reporter {
  readonly counts: Counts = { handled: 0, sent: 0, failed: 0, unknown: 0, unreported: 0 }
  readonly #context: PhoneContext
  readonly #refusals: Outage

  constructor(context: PhoneContext) {
    this.#context = context
    this.#refusals = new Outage(context)
  }

  /** Reports an outcome until the relay has taken or refused it; throws when it does not accept the keys any more. */
  async report(known: Known, { message, force = this.#context.force }: Reporting): Promise<void> {
    const { emit, journal } = this.#context
    const delivery = await report(known, { ...this.#context, force })
    if (delivery.report !== 'abandoned') await journal.settle(known)
    this.#count(known.outcome, delivery)
    emit(told(known, delivery, message))
    if (delivery.report === 'abandoned' && !force.aborted) throw delivery.error
    await this.#afterAnswer(delivery)
  }

  /** A relay that refuses what it has asked for, again and again, is not asked at full speed. */
  async #afterAnswer(delivery: Delivery): Promise<void> {
    if (delivery.report !== 'refused') this.#refusals.end()
    else {
      this.#refusals.begin()
      if (!this.#context.once) await this.#refusals.wait(this.#context.stop)
    }
  }

  #count(outcome: Outcome, delivery: Delivery): void {
    this.counts.handled += 1
    this.counts[outcome.result] += 1
    if (delivery.report !== 'taken') this.counts.unreported += 1
  }
}

function told({ id, outcome }: Known, delivery: Delivery, message?: MessageFields): PhoneEvent {
  if (delivery.report === 'taken') return taken(outcome, delivery.message, message)
  const error = sentence(delivery.error)
  if (delivery.report === 'abandoned') {
    return { event: 'abandoned', id, outcome: outcome.result, error }
  }
  return { event: 'refused', id, outcome: outcome.result, code: delivery.error.code, error }
}

function taken(outcome: Outcome, now: MessageFields, message = now): PhoneEvent {
  const { id } = message
  const test = isTest(message)
  if (outcome.result === 'sent') return { event: 'sent', id, parts: outcome.parts, test }
  const { result, error } = outcome
  if (result === 'unknown') return { event: 'unknown', id, error, status: now.status }
  return { event: 'failed', id, error, status: now.status, test }
}
