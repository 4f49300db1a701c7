import { errorText } from '../../errors.js'
import type { AttemptOutcome, DriverTrouble } from '../driver-port/attempt-outcome.js'
import type { DriverCalls } from '../driver-state/driver-calls.js'
import type { Attempt, FinishedAttempt } from '../journal/attempt-history.js'
import type { DispatchContext } from './dispatch-context.js'
import { attributeFailure, toExhaustedOutcome } from './failure-attribution.js'
import type { HeldMessage } from './held-message.js'
import type { LeaseKeeper } from './lease-keeper.js'
import { isTestMessage, sendOnce } from './send-attempt.js'

/**
 * How an attempt ended: with an outcome to report, with trouble of the driver or perhaps of the
 * number (`busy`), or without a call.
 */
export type SendResult =
  | { readonly end: 'finished'; readonly finished: FinishedAttempt }
  | { readonly end: 'trouble' | 'busy'; readonly trouble: DriverTrouble }
  | { readonly end: 'skipped' | 'stopped' }

export class MessageSender {
  readonly #context: DispatchContext
  readonly #calls: DriverCalls
  readonly #leases: LeaseKeeper
  readonly #onRecovery: () => void

  constructor(
    context: DispatchContext,
    calls: DriverCalls,
    leases: LeaseKeeper,
    onRecovery: () => void,
  ) {
    this.#context = context
    this.#calls = calls
    this.#leases = leases
    this.#onRecovery = onRecovery
  }

  /**
   * Sends a message, or skips it if it may not be sent any more. An edited message is sent with its
   * new text. Never rejects.
   * @param onAnswer called when the driver has settled the message, before that is on the disk
   */
  async send(held: HeldMessage, onAnswer: () => void): Promise<SendResult> {
    if (held.isRetry) await this.#leases.refresh(held)
    if (held.isRetry && this.#context.stop.aborted) return { end: 'stopped' }
    for (;;) {
      if (!held.canSend) return { end: 'skipped' }
      const result = await this.#attempt(held, onAnswer)
      if (result !== 'changed') return result
    }
  }

  /**
   * The order prevents sending twice: journal, driver, journal; the report to the relay comes last.
   */
  async #attempt(held: HeldMessage, onAnswer: () => void): Promise<SendResult | 'changed'> {
    const { journal, createKey } = this.#context
    const { id, message } = held
    const attempt = { id, key: createKey() }
    try {
      const finished = await journal.begin(message, attempt.key)
      if (finished !== undefined) return { end: 'finished', finished }
    } catch (error) {
      return { end: 'trouble', trouble: { result: 'trouble', error: errorText(error) } }
    }
    const refresh = async () => await this.#leases.refresh(held)
    if (!held.isFresh) await refresh()
    const isCurrent = held.canSend && held.message === message
    const outcome = isCurrent ? await sendOnce(held, this.#calls, refresh) : 'changed'
    if (outcome === 'changed' || outcome.result === 'trouble') {
      await journal.cancel(attempt)
      return outcome === 'changed' ? outcome : await this.#attribute(held, attempt, outcome)
    }
    return await this.#record(held, attempt, outcome, onAnswer)
  }

  async #record(
    held: HeldMessage,
    attempt: Attempt,
    outcome: AttemptOutcome,
    onAnswer: () => void,
  ): Promise<SendResult> {
    const { journal, driverStatus } = this.#context
    const recorded = journal.record(attempt, outcome)
    if (!isTestMessage(held.message)) {
      driverStatus.recordSuccess()
      this.#onRecovery()
    }
    // The next message starts now, so that one sync covers this outcome and its start.
    onAnswer()
    await recorded
    return { end: 'finished', finished: { ...attempt, outcome } }
  }

  async #attribute(
    held: HeldMessage,
    attempt: Attempt,
    trouble: DriverTrouble,
  ): Promise<SendResult> {
    if (this.#context.stop.aborted) return { end: 'trouble', trouble }
    const cause = await attributeFailure(held, trouble, this.#context)
    if (cause === 'driver') return { end: 'trouble', trouble }
    if (cause === 'number') return { end: 'busy', trouble }
    if (cause === 'message') this.#onRecovery()
    return {
      end: 'finished',
      finished: { ...attempt, outcome: toExhaustedOutcome(trouble.error) },
    }
  }
}
