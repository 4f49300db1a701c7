import { limits } from '../../domain/limits.js'
import type { AttemptOutcome, DriverTrouble } from '../driver-port/attempt-outcome.js'
import type { DispatchContext } from './dispatch-context.js'
import type { HeldMessage } from './held-message.js'

/**
 * The cause of repeated trouble with a message: the driver, so that the phone holds the message;
 * perhaps its number, which takes no texts for now; the message, because the driver works; or
 * unclear until another message is tried.
 */
export type FailureCause = 'driver' | 'number' | 'message' | 'unclear'

const maxTries = 5
/** Milliseconds. */
const healthTimeout = 20_000

type AttributionContext = Pick<DispatchContext, 'driver' | 'driverStatus' | 'clock'>

/**
 * Counts driver trouble with a message; from the fifth time in a row, looks for its cause. A driver
 * that asks for a wait knows that the network is the cause; the second time in a row the number may
 * be, so that others are tried.
 */
export async function attributeFailure(
  held: HeldMessage,
  { wait = 0 }: DriverTrouble,
  context: AttributionContext,
): Promise<FailureCause> {
  const { driver, driverStatus } = context
  if (held.tries + held.waits === 0) held.successesBefore = driverStatus.successCount
  if (wait > 0) {
    held.waits += 1
    return held.waits === 1 ? 'driver' : 'number'
  }
  held.tries += 1
  if (held.tries < maxTries) return 'driver'
  return driver.health === undefined
    ? compareMessages(held, driverStatus)
    : await askDriver(context)
}

/**
 * Without a driver's health check, the success of other messages decides; one fails to find out.
 */
function compareMessages(
  held: HeldMessage,
  driverStatus: DispatchContext['driverStatus'],
): FailureCause {
  if (driverStatus.successCount > held.successesBefore) return 'message'
  return driverStatus.startProbe() ? 'unclear' : 'driver'
}

async function askDriver({ driver, clock }: AttributionContext): Promise<FailureCause> {
  const done = new AbortController()
  const timeout = clock.sleep(healthTimeout, done.signal)
  try {
    const health = await Promise.race([driver.health?.(), timeout])
    return health?.ok === true ? 'message' : 'driver'
  } catch {
    return 'driver'
  } finally {
    done.abort()
  }
}

export function toExhaustedOutcome(error: string): AttemptOutcome {
  const text = `Not sent in ${maxTries} tries: ${error}`
  return { result: 'failed', error: [...text].slice(0, limits.errorMessage).join('') }
}
