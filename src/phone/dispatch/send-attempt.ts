import type { MessageFields } from '../../contract/message-schema.js'
import { limits } from '../../domain/limits.js'
import { canonicalNumber, testOutcome } from '../../domain/sms/phone-number.js'
import { segments } from '../../domain/sms/segments.js'
import { withGrace, withSignal } from '../../util/async/abort.js'
import type { Outcome, Stale, Trouble } from '../driver-port/attempt-outcome.js'
import {
  DriverError,
  type DriverMessage,
  type DriverReceipt,
  StaleMessage,
} from '../driver-port/driver.js'
import { sentence } from '../relay/relay-error.js'
import type { Freshness } from './fetched-message.js'
import type { PhoneContext } from './worker-context.js'

const graceAfterForce = 5000

/** Whether a message goes to a test number, so that no driver is called (DESIGN: test numbers). */
export function isTest(message: MessageFields): boolean {
  return testOutcome(message.destination) !== undefined
}

/** Tries to send a message, once: by the driver, or by the fixed outcome of a test number. Never rejects. */
export async function attempt(
  fresh: Freshness,
  context: PhoneContext,
): Promise<Outcome | Trouble | Stale> {
  const { message } = fresh
  const estimate = segments(message.message).parts
  const test = testOutcome(message.destination)
  if (test === 'success') return { result: 'sent', parts: estimate }
  if (test === 'failure') {
    return { result: 'failed', error: 'A text to the test number 555-1213 always fails.' }
  }
  context.turn.begin(estimate)
  const outcome = await send(fresh, context, estimate)
  context.turn.end(used(outcome, estimate))
  return outcome
}

async function send(
  fresh: Freshness,
  context: PhoneContext,
  estimate: number,
): Promise<Outcome | Trouble | Stale> {
  try {
    const { parts } = await callDriver(toDriver(fresh), context)
    return { result: 'sent', parts: isParts(parts) ? parts : estimate }
  } catch (error) {
    return error instanceof StaleMessage ? { result: 'stale' } : failed(error)
  }
}

/** Parts that count against the pace: a failure has been an attempt on the network, trouble was none. */
function used(outcome: Outcome | Trouble | Stale, estimate: number): number {
  if (outcome.result === 'sent') return outcome.parts
  if (outcome.result === 'unknown') return estimate
  return outcome.result === 'failed' ? 1 : 0
}

/** Calls the driver; one that does not heed an aborted signal is left alone after a while. */
async function callDriver(message: DriverMessage, context: PhoneContext): Promise<DriverReceipt> {
  const { driver, force, pause } = context
  return await withGrace(force, graceAfterForce, pause, late =>
    withSignal([force], signal =>
      Promise.race([driver.send(message, signal), deaf(driver.name, late)]),
    ),
  )
}

function deaf(name: string, late: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const leave = () =>
      reject(new DriverError('unknown', `The ${name} driver did not stop when told to.`))
    late.addEventListener('abort', leave, { once: true })
  })
}

function toDriver(fresh: Freshness): DriverMessage {
  const { message } = fresh
  const { id, destination, message: text } = message
  const number = canonicalNumber(destination, '') ?? destination.replace(/[\s().\-/]/g, '')
  const still = async () => {
    if (!(await fresh.isWanted()) || fresh.message !== message) throw new StaleMessage()
  }
  return { id, destination: number, text, still }
}

function isParts(parts: number | undefined): parts is number {
  return parts !== undefined && Number.isInteger(parts) && parts >= 1 && parts <= 255
}

/** An error that is not a DriverError says nothing about the text, so nobody knows whether it was sent. */
function failed(error: unknown): Outcome | Trouble {
  const kind = error instanceof DriverError ? error.kind : 'unknown'
  const text = tidy(sentence(error))
  if (kind === 'trouble') return { result: 'trouble', error: text, ...waitOf(error) }
  return { result: kind === 'unknown' ? 'unknown' : 'failed', error: text }
}

function waitOf(error: unknown): { wait?: number } {
  return error instanceof DriverError && error.wait > 0 ? { wait: error.wait } : {}
}

/** An error message as the relay takes it: one line, well-formed, not too long. */
function tidy(error: string): string {
  const line = error.toWellFormed().replace(/[\p{Cc}\s]+/gu, ' ')
  return [...line.trim()].slice(0, limits.errorMessage).join('') || 'The driver gave no reason.'
}
