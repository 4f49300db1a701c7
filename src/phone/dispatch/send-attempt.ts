import type { MessageFields } from '../../contract/message-schema.js'
import { limits } from '../../domain/limits.js'
import type { Status } from '../../domain/message/message.js'
import { getTestOutcome, toCanonicalNumber } from '../../domain/sms/phone-number.js'
import { countSmsParts } from '../../domain/sms/sms-parts.js'
import { errorText, isRelayError } from '../../errors.js'
import { runWithGrace, runWithSignal } from '../../util/async/abort.js'
import type { AttemptOutcome, DriverTrouble } from '../driver-port/attempt-outcome.js'
import {
  DriverError,
  type DriverMessage,
  type DriverReceipt,
  MessageChanged,
} from '../driver-port/driver.js'
import type { WorkerContext } from './worker-context.js'

type FetchContext = Pick<WorkerContext, 'client' | 'clock' | 'force'>

/** Milliseconds. */
const graceAfterForce = 5000
const freshFor = 1000
const replyTimeout = 5000

/** A message that the phone fetched; the relay may change it while it waits to be sent. */
export class FetchedMessage {
  readonly #context: FetchContext
  #message: MessageFields
  #status: Status | undefined
  #isPostponed = false
  #checkedAt: number

  constructor(message: MessageFields, context: FetchContext) {
    this.#message = message
    this.#status = message.status
    this.#context = context
    this.#checkedAt = context.clock.monotonic()
  }

  /** The fetched message as last seen; another object once it was edited. */
  get message(): MessageFields {
    return this.#message
  }

  /** Status of the fetched message; undefined if it no longer exists. */
  get status(): Status | undefined {
    return this.#status
  }

  /** Whether the relay waits for the phone to release the message, which it must not send now. */
  get isHeldBack(): boolean {
    return this.#isPostponed || this.#status === 'B' || this.#status === 'L'
  }

  /**
   * Whether the fetched message may still be sent. Asks the relay again after a second; if it does
   * not answer, the last known status counts. Never rejects.
   */
  async shouldSend(): Promise<boolean> {
    if (this.#context.clock.monotonic() - this.#checkedAt > freshFor) await this.#refresh()
    return !this.#isPostponed && (this.#status === 'N' || this.#status === 'E')
  }

  async #refresh(): Promise<void> {
    const { client, clock, force } = this.#context
    try {
      const found = await runWithGrace(AbortSignal.abort(), replyTimeout, clock.sleep, deadline =>
        runWithSignal([force, deadline], signal =>
          client.messages.get(this.#message.id, { signal }),
        ),
      )
      const { destination, message, send_on: sendOn } = this.#message
      // Times in this form compare as texts.
      this.#isPostponed = found.send_on > sendOn
      const isSame = found.destination === destination && found.message === message
      if (!isSame) this.#message = found
      this.#status = found.status
    } catch (error) {
      if (isRelayError(error, 'not_a_message')) this.#status = undefined
    }
    this.#checkedAt = clock.monotonic()
  }
}

/** Whether a message goes to a test number, for which the phone calls no driver. */
export function isTestMessage(message: MessageFields): boolean {
  return getTestOutcome(message.destination) !== undefined
}

/**
 * Sends a message once: with the phone's driver, or with the fixed outcome of a test number.
 * `changed` if the message was edited or withdrawn while the driver waited. Never rejects.
 */
export async function sendOnce(
  fetched: FetchedMessage,
  context: WorkerContext,
): Promise<AttemptOutcome | DriverTrouble | 'changed'> {
  const { message } = fetched
  const estimate = countSmsParts(message.message).parts
  const testOutcome = getTestOutcome(message.destination)
  if (testOutcome === 'success') return { result: 'sent', parts: estimate }
  if (testOutcome === 'failure') {
    return { result: 'failed', error: 'A text to the test number 555-1213 always fails.' }
  }
  context.reservation.start(estimate)
  const outcome = await sendWithDriver(fetched, context, estimate)
  context.reservation.finish(countUsedParts(outcome, estimate))
  return outcome
}

async function sendWithDriver(
  fetched: FetchedMessage,
  context: WorkerContext,
  estimate: number,
): Promise<AttemptOutcome | DriverTrouble | 'changed'> {
  try {
    const { parts } = await callDriver(toDriverMessage(fetched), context)
    return { result: 'sent', parts: isPartCount(parts) ? parts : estimate }
  } catch (error) {
    return error instanceof MessageChanged ? 'changed' : toFailure(error)
  }
}

/** Calls the driver, and stops waiting for one that ignores the forced stop. */
async function callDriver(message: DriverMessage, context: WorkerContext): Promise<DriverReceipt> {
  const { driver, force, clock } = context
  return await runWithGrace(force, graceAfterForce, clock.sleep, deadline =>
    runWithSignal([force], signal =>
      Promise.race([driver.send(message, signal), rejectWhenAborted(driver.name, deadline)]),
    ),
  )
}

function rejectWhenAborted(name: string, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(new DriverError('unknown', `The ${name} driver did not stop.`))
    signal.addEventListener('abort', abort, { once: true })
  })
}

function toDriverMessage(fetched: FetchedMessage): DriverMessage {
  const { message } = fetched
  const { id, destination, message: text } = message
  const number = toCanonicalNumber(destination, '') ?? destination.replace(/[\s().\-/]/g, '')
  const assertCurrent = async () => {
    const isCurrent = (await fetched.shouldSend()) && fetched.message === message
    if (!isCurrent) throw new MessageChanged()
  }
  return { id, destination: number, text, assertCurrent }
}

/**
 * Parts that count against the phone's rate limit: a failed attempt used the network, trouble did
 * not.
 */
function countUsedParts(
  outcome: AttemptOutcome | DriverTrouble | 'changed',
  estimate: number,
): number {
  if (outcome === 'changed') return 0
  if (outcome.result === 'sent') return outcome.parts
  if (outcome.result === 'unknown') return estimate
  return outcome.result === 'failed' ? 1 : 0
}

function isPartCount(parts: number | undefined): parts is number {
  return parts !== undefined && Number.isInteger(parts) && parts >= 1 && parts <= 255
}

/** A driver's error that is not a DriverError does not say whether the text was sent. */
function toFailure(error: unknown): AttemptOutcome | DriverTrouble {
  const { kind, wait } =
    error instanceof DriverError ? error : ({ kind: 'unknown', wait: 0 } as const)
  const text = formatError(error)
  if (kind === 'trouble') return { result: 'trouble', error: text, ...(wait > 0 ? { wait } : {}) }
  return { result: kind === 'unknown' ? 'unknown' : 'failed', error: text }
}

function formatError(error: unknown): string {
  const line = errorText(error)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
  return [...line.trim()].slice(0, limits.errorMessage).join('') || 'The driver gave no reason.'
}
