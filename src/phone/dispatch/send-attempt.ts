import type { MessageFields } from '../../contract/message-schema.js'
import { limits } from '../../domain/limits.js'
import { getTestOutcome, toCanonicalNumber } from '../../domain/sms/phone-number.js'
import { countSmsParts } from '../../domain/sms/sms-parts.js'
import { errorText } from '../../errors.js'
import { runWithGrace, runWithSignal } from '../../util/async/abort.js'
import type {
  AttemptOutcome,
  DriverTrouble,
  MessageChangedResult,
} from '../driver-port/attempt-outcome.js'
import {
  DriverError,
  type DriverMessage,
  type DriverReceipt,
  MessageChanged,
} from '../driver-port/driver.js'
import type { FetchedMessage } from './fetched-message.js'
import type { WorkerContext } from './worker-context.js'

const graceAfterForce = 5000

/** Whether a message goes to a test number, so that no driver is called (DESIGN: test numbers). */
export function isTestMessage(message: MessageFields): boolean {
  return getTestOutcome(message.destination) !== undefined
}

/** Tries to send a message, once: by the driver, or by the fixed outcome of a test number. Never rejects. */
export async function attemptSend(
  fresh: FetchedMessage,
  context: WorkerContext,
): Promise<AttemptOutcome | DriverTrouble | MessageChangedResult> {
  const { message } = fresh
  const estimate = countSmsParts(message.message).parts
  const test = getTestOutcome(message.destination)
  if (test === 'success') return { result: 'sent', parts: estimate }
  if (test === 'failure') {
    return { result: 'failed', error: 'A text to the test number 555-1213 always fails.' }
  }
  context.reservation.start(estimate)
  const outcome = await sendWithDriver(fresh, context, estimate)
  context.reservation.finish(countUsedParts(outcome, estimate))
  return outcome
}

async function sendWithDriver(
  fresh: FetchedMessage,
  context: WorkerContext,
  estimate: number,
): Promise<AttemptOutcome | DriverTrouble | MessageChangedResult> {
  try {
    const { parts } = await callDriver(toDriverMessage(fresh), context)
    return { result: 'sent', parts: isPartCount(parts) ? parts : estimate }
  } catch (error) {
    return error instanceof MessageChanged ? { result: 'stale' } : toFailure(error)
  }
}

/** Parts that count against the pace: a failure has been an attempt on the network, trouble was none. */
function countUsedParts(
  outcome: AttemptOutcome | DriverTrouble | MessageChangedResult,
  estimate: number,
): number {
  if (outcome.result === 'sent') return outcome.parts
  if (outcome.result === 'unknown') return estimate
  return outcome.result === 'failed' ? 1 : 0
}

/** Calls the driver; one that does not heed an aborted signal is left alone after a while. */
async function callDriver(message: DriverMessage, context: WorkerContext): Promise<DriverReceipt> {
  const { driver, force, pause } = context
  return await runWithGrace(force, graceAfterForce, pause, late =>
    runWithSignal([force], signal =>
      Promise.race([driver.send(message, signal), rejectWhenAborted(driver.name, late)]),
    ),
  )
}

function rejectWhenAborted(name: string, late: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const leave = () =>
      reject(new DriverError('unknown', `The ${name} driver did not stop when told to.`))
    late.addEventListener('abort', leave, { once: true })
  })
}

function toDriverMessage(fresh: FetchedMessage): DriverMessage {
  const { message } = fresh
  const { id, destination, message: text } = message
  const number = toCanonicalNumber(destination, '') ?? destination.replace(/[\s().\-/]/g, '')
  const still = async () => {
    if (!(await fresh.shouldSend()) || fresh.message !== message) throw new MessageChanged()
  }
  return { id, destination: number, text, assertCurrent: still }
}

function isPartCount(parts: number | undefined): parts is number {
  return parts !== undefined && Number.isInteger(parts) && parts >= 1 && parts <= 255
}

/** An error that is not a DriverError says nothing about the text, so nobody knows whether it was sent. */
function toFailure(error: unknown): AttemptOutcome | DriverTrouble {
  const kind = error instanceof DriverError ? error.kind : 'unknown'
  const text = formatError(errorText(error))
  if (kind === 'trouble') return { result: 'trouble', error: text, ...getWait(error) }
  return { result: kind === 'unknown' ? 'unknown' : 'failed', error: text }
}

function getWait(error: unknown): { wait?: number } {
  return error instanceof DriverError && error.wait > 0 ? { wait: error.wait } : {}
}

/** An error message as the relay takes it: one line, well-formed, not too long. */
function formatError(error: string): string {
  const line = error.toWellFormed().replace(/[\p{Cc}\s]+/gu, ' ')
  return [...line.trim()].slice(0, limits.errorMessage).join('') || 'The driver gave no reason.'
}
