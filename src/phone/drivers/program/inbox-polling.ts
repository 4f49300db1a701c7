import type { Clock } from '../../../util/async/clock.js'
import { DriverError, type DriverWatch } from '../../driver-port/driver.js'
import { parsed, refuse } from '../../driver-port/driver-options.js'
import type { ProgramResult } from './run-program.js'

/** Characters of the output of a driver's program that lists received texts. */
export const maxListLength = 4_000_000

interface InboxPolling {
  readonly name: string
  readonly every: number | undefined
  readonly clock: Clock
  readonly poll: (signal: AbortSignal) => Promise<void>
}

/** Creates the driver's watch that polls for received texts; sending does not depend on it. */
export function createPollingWatches({
  name,
  every,
  clock,
  poll,
}: InboxPolling): readonly DriverWatch[] {
  if (every === undefined) return []
  const run = async (onWorking: () => void, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await poll(signal)
      onWorking()
      await clock.sleep(every, signal)
    }
  }
  return [{ name, isRequiredToSend: false, run }]
}

/** The option `poll` in milliseconds: 5 to 3600 seconds, such as `30s` or `30`. */
export const poll = parsed(typed => {
  const seconds = Number(/^\s*(\d{1,4})\s*s?\s*$/.exec(typed)?.[1] ?? Number.NaN)
  if (seconds >= 5 && seconds <= 3600) return seconds * 1000
  throw refuse('poll', '5 to 3600 seconds, such as 30s', typed)
})

/**
 * Parses the JSON that a driver's program printed. Throws `trouble` with `description` of the
 * result.
 */
export function parseJsonOutput(result: ProgramResult, description: string): unknown {
  try {
    if (result.by === 'exit' && result.status === 0) return JSON.parse(result.stdout)
  } catch {
    // Not JSON: the error below describes the output.
  }
  throw new DriverError('trouble', `Received texts cannot be read. ${description}`)
}

/** The text or number at a path in the JSON of a driver's program; empty if absent. */
export function readText(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    value,
  )
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}
