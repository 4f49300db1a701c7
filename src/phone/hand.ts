import type { MessageFields } from '../contract/message.js'
import { attempt, isTest } from './attempt.js'
import type { PhoneContext } from './context.js'
import type { PhoneEvent, PhoneResult } from './events.js'
import { Outage } from './outage.js'
import type { Outcome, Trouble } from './outcome.js'
import { sentence } from './relay-errors.js'
import { type Delivery, report } from './report.js'

type Counts = { -readonly [Name in 'handled' | Outcome['result'] | 'unreported']: number }

/** The message in hand: attempts it, reports it, and counts what became of it. */
export class Hand {
  readonly #context: PhoneContext
  readonly #counts: Counts = { handled: 0, sent: 0, failed: 0, unknown: 0, unreported: 0 }
  readonly #refusals: Outage
  #holds: string | undefined
  #troubled: string | undefined
  #trouble: string | undefined

  constructor(context: PhoneContext) {
    this.#context = context
    this.#refusals = new Outage(context)
  }

  /** Identifier of the message in hand. */
  get holds(): string | undefined {
    return this.#holds
  }

  /** What was done so far. */
  get result(): PhoneResult {
    return { ...this.#counts, ...(this.#trouble === undefined ? {} : { trouble: this.#trouble }) }
  }

  /** Does all that is to be done for a message; throws when the relay does not accept the keys any more. */
  async settle(message: MessageFields): Promise<void> {
    const { emit, journal } = this.#context
    const { id, destination } = message
    this.#holds = id
    if (id !== this.#troubled) emit({ event: 'took', id, destination })
    const known = await journal.recall(message)
    const outcome = known ?? (await this.#attempt(message))
    if (outcome.result === 'trouble') await this.#keep(id, outcome)
    else await this.#report(message, outcome)
    this.#holds = undefined
  }

  async #attempt(message: MessageFields): Promise<Outcome | Trouble> {
    const { journal } = this.#context
    await journal.begin(message)
    const outcome = await attempt(message, this.#context)
    if (outcome.result === 'trouble') await journal.cancel(message)
    else await journal.record(message, outcome)
    if (outcome.result !== 'trouble' && !isTest(message)) this.#recovered()
    return outcome
  }

  /** The message stays leased to this token, so the next NEXT gives it again. */
  async #keep(id: string, { error }: Trouble): Promise<void> {
    const { emit, gateway, once, stop } = this.#context
    this.#troubled = id
    this.#trouble = error
    if (gateway.begin()) emit({ event: 'trouble', id, error })
    if (!once) await gateway.wait(stop)
  }

  #recovered(): void {
    const { emit, gateway } = this.#context
    this.#troubled = undefined
    this.#trouble = undefined
    if (gateway.end()) emit({ event: 'recovered' })
  }

  async #report(message: MessageFields, outcome: Outcome): Promise<void> {
    const { emit, force, journal } = this.#context
    const delivery = await report(message.id, outcome, this.#context)
    if (delivery.report !== 'abandoned') await journal.settle(message)
    this.#count(outcome, delivery)
    emit(told(message, outcome, delivery))
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
    this.#counts.handled += 1
    this.#counts[outcome.result] += 1
    if (delivery.report !== 'taken') this.#counts.unreported += 1
  }
}

function told(message: MessageFields, outcome: Outcome, delivery: Delivery): PhoneEvent {
  const { id } = message
  if (delivery.report === 'taken') return taken(message, outcome, delivery.message)
  const error = sentence(delivery.error)
  if (delivery.report === 'abandoned') {
    return { event: 'abandoned', id, outcome: outcome.result, error }
  }
  return { event: 'refused', id, outcome: outcome.result, code: delivery.error.code, error }
}

function taken(message: MessageFields, outcome: Outcome, now: MessageFields): PhoneEvent {
  const { id } = message
  const test = isTest(message)
  if (outcome.result === 'sent') return { event: 'sent', id, parts: outcome.parts, test }
  const { result, error } = outcome
  if (result === 'unknown') return { event: 'unknown', id, error, status: now.status }
  return { event: 'failed', id, error, status: now.status, test }
}
