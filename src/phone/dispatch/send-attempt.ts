import type { MessageFields } from '../../contract/message-schema.js'
import { limits } from '../../domain/limits.js'
import { getDialledNumber, getTestOutcome, getTypedNumber } from '../../domain/sms/phone-number.js'
import { countSmsParts } from '../../domain/sms/sms-parts.js'
import { errorText } from '../../errors.js'
import type { AttemptOutcome, DriverTrouble } from '../driver-port/attempt-outcome.js'
import {
  DriverError,
  type DriverMessage,
  type DriverReceipt,
  MessageChanged,
} from '../driver-port/driver.js'
import type { DriverCalls } from '../driver-state/driver-calls.js'
import type { HeldMessage } from './held-message.js'

/** Whether a message goes to a test number, for which the phone calls no driver. */
export function isTestMessage({ destination, number }: MessageFields): boolean {
  return getTestOutcome(getDialledNumber(destination, number)) !== undefined
}

/**
 * Sends a message once: with the phone's driver, or with the fixed outcome of a test number.
 * `changed` if the message was edited or withdrawn while the driver waited. Never rejects.
 * @param refresh asks the relay for the message again if what is known is not of the last second
 */
export async function sendOnce(
  held: HeldMessage,
  calls: DriverCalls,
  refresh: () => Promise<void>,
): Promise<AttemptOutcome | DriverTrouble | 'changed'> {
  const { message, reservation } = held
  const estimate = countSmsParts(message.message).parts
  const testOutcome = getTestOutcome(getDialledNumber(message.destination, message.number))
  if (testOutcome === 'success') return { result: 'sent', parts: estimate }
  if (testOutcome === 'failure') {
    return { result: 'failed', error: 'A text to the test number 555-1213 always fails.' }
  }
  reservation?.start(estimate)
  const outcome = await sendWithDriver(toDriverMessage(held, refresh), calls, estimate)
  reservation?.finish(countUsedParts(outcome, estimate))
  return outcome
}

async function sendWithDriver(
  message: DriverMessage,
  calls: DriverCalls,
  estimate: number,
): Promise<AttemptOutcome | DriverTrouble | 'changed'> {
  try {
    return toSentOutcome(await calls.send(message), estimate)
  } catch (error) {
    return error instanceof MessageChanged ? 'changed' : toFailure(error)
  }
}

function toSentOutcome({ parts, networkIds }: DriverReceipt, estimate: number): AttemptOutcome {
  const count = isPartCount(parts) ? parts : estimate
  if (networkIds === undefined) return { result: 'sent', parts: count }
  return { result: 'sent', parts: count, networkIds }
}

function toDriverMessage(held: HeldMessage, refresh: () => Promise<void>): DriverMessage {
  const { message } = held
  const assertCurrent = async () => {
    if (!held.isFresh) await refresh()
    if (!held.canSend || held.message !== message) throw new MessageChanged()
  }
  return {
    id: held.id,
    destination: getDialledNumber(message.destination, message.number),
    typed: getTypedNumber(message.destination),
    text: message.message,
    ...(message.flash === true ? { flash: true } : {}),
    assertCurrent,
  }
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
