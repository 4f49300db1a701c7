import type { MessageFields } from '../../contract/message-schema.js'
import { errorText } from '../../errors.js'
import type { DriverTrouble } from '../driver-port/attempt-outcome.js'
import type { PhoneResult } from '../events/phone-events.js'
import type { Attempt, FinishedAttempt } from '../journal/attempt-history.js'
import { FailureAttribution, toExhaustedOutcome } from './failure-attribution.js'
import { HeldMessage, releaseMessage } from './held-message.js'
import { OutcomeReporter } from './outcome-reporter.js'
import { FetchedMessage, isTestMessage, sendOnce } from './send-attempt.js'
import type { WorkerContext } from './worker-context.js'

/** Milliseconds between renewals of a phone's lease; well below the relay's lease of 120 s. */
const leaseRenewalInterval = 30_000

export class MessageSender {
  readonly held: HeldMessage
  readonly #context: WorkerContext
  readonly #reporter: OutcomeReporter
  readonly #attribution: FailureAttribution
  #currentId: string | undefined
  #trouble: string | undefined

  constructor(context: WorkerContext) {
    this.held = new HeldMessage(context)
    this.#context = context
    this.#reporter = new OutcomeReporter(context)
    this.#attribution = new FailureAttribution(context)
  }

  get currentId(): string | undefined {
    return this.#currentId
  }

  get result(): PhoneResult {
    return {
      ...this.#reporter.counts,
      ...(this.#trouble === undefined ? {} : { trouble: this.#trouble }),
    }
  }

  /** Sends a message with the driver and reports the outcome to the relay. Throws if the relay
   * rejects the phone's keys. */
  async send(message: MessageFields): Promise<void> {
    this.#begin(message)
    const fetched = new FetchedMessage(message, this.#context)
    const result = await this.#attempt(fetched)
    this.#context.reservation.finish(0)
    if (result === undefined) await this.#skip(fetched)
    else if (isTrouble(result)) await this.#hold(message.id, result)
    else await this.#reporter.report(result, { message: fetched.message })
    this.#currentId = undefined
  }

  /** Keeps a message's lease for a while without sending it; the next NEXT renews it. */
  async keepLease(message: MessageFields): Promise<void> {
    const { clock, stop, reservation } = this.#context
    this.#begin(message)
    this.held.hold(message.id)
    reservation.finish(0)
    await clock.sleep(leaseRenewalInterval, stop)
    this.#currentId = undefined
  }

  /**
   * Releases the held message because the driver is down; the driver's watch reports the recovery.
   */
  async releaseForDriver(): Promise<void> {
    const { driverStatus } = this.#context
    const isReleased = await this.held.release(driverStatus.trouble ?? 'no way to send')
    if (isReleased) this.#recover()
  }

  /**
   * Reports the outcomes of an earlier run of the phone until stopped; the rest stays in the
   * journal. Throws if the relay rejects the keys.
   */
  async reportUnreported(): Promise<void> {
    const { emit, journal, stop } = this.#context
    for (const finished of journal.unreported()) {
      if (stop.aborted) return
      const { id, outcome } = finished
      this.#currentId = id
      emit({ event: 'resumed', id, outcome: outcome.result })
      await this.#reporter.report(finished, { force: stop })
      this.#currentId = undefined
    }
  }

  #begin({ id, destination }: MessageFields): void {
    this.#currentId = id
    if (this.held.isHeld(id)) return
    this.held.clear()
    this.#context.emit({ event: 'took', id, destination })
  }

  /**
   * Undefined if the worker may no longer send the message; if it was edited, the new text is sent.
   */
  async #attempt(fetched: FetchedMessage): Promise<FinishedAttempt | DriverTrouble | undefined> {
    for (;;) {
      const result = await this.#attemptOnce(fetched)
      if (result !== 'changed') return result
      if (!(await fetched.shouldSend())) return undefined
    }
  }

  /**
   * The order prevents sending twice: journal, driver, journal; the report to the relay comes last.
   */
  async #attemptOnce(
    fetched: FetchedMessage,
  ): Promise<FinishedAttempt | DriverTrouble | 'changed'> {
    const { journal, driverStatus, createKey } = this.#context
    const { message } = fetched
    const attempt = { id: message.id, key: createKey() }
    try {
      const earlier = await journal.begin(message, attempt.key)
      if (earlier !== undefined) return earlier
    } catch (error) {
      return { result: 'trouble', error: errorText(error) }
    }
    const isCurrent = (await fetched.shouldSend()) && fetched.message === message
    const outcome = isCurrent ? await sendOnce(fetched, this.#context) : 'changed'
    if (outcome === 'changed' || outcome.result === 'trouble') {
      await journal.cancel(attempt)
      return outcome === 'changed' ? outcome : await this.#attribute(attempt, outcome)
    }
    await journal.record(attempt, outcome)
    if (!isTestMessage(message)) {
      driverStatus.recordSuccess()
      this.#recover()
    }
    return { ...attempt, outcome }
  }

  async #attribute(
    attempt: Attempt,
    trouble: DriverTrouble,
  ): Promise<FinishedAttempt | DriverTrouble> {
    // A driver that asks for a wait knows that the network is the cause of the trouble.
    if (this.#context.stop.aborted || (trouble.wait ?? 0) > 0) return trouble
    const cause = await this.#attribution.attribute(attempt.id)
    if (cause === 'driver') return trouble
    if (cause === 'message') this.#recover()
    this.held.clear()
    return { ...attempt, outcome: toExhaustedOutcome(trouble.error) }
  }

  async #skip(fetched: FetchedMessage): Promise<void> {
    const { status, isHeldBack } = fetched
    const { id } = fetched.message
    this.held.clear()
    // The relay blocks only released messages, and must know that the phone did not send a locked
    // or postponed one.
    if (isHeldBack) await releaseMessage(id, 'must not be sent now', this.#context)
    this.#context.emit({ event: 'skipped', id, ...(status === undefined ? {} : { status }) })
  }

  /**
   * Holds a message after driver trouble: it stays leased to the worker's token, so the next NEXT
   * returns it.
   */
  async #hold(id: string, { error, wait }: DriverTrouble): Promise<void> {
    const { emit, driverBackoff, once, presence, stop } = this.#context
    this.held.hold(id)
    this.#trouble = error
    if (driverBackoff.recordFailure()) emit({ event: 'trouble', id, error })
    if (!once) await presence.trackWait(async () => await driverBackoff.wait(stop, wait))
  }

  #recover(): void {
    const { emit, driverBackoff } = this.#context
    this.held.clear()
    this.#trouble = undefined
    if (driverBackoff.recordSuccess()) emit({ event: 'recovered' })
  }
}

function isTrouble(result: FinishedAttempt | DriverTrouble): result is DriverTrouble {
  return 'result' in result
}
