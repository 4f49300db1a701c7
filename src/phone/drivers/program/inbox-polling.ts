import { RelayError } from '../../../errors.js'
import type { Clock } from '../../../util/async/clock.js'
import { DriverError, type DriverWatch } from '../../driver-port/driver.js'
import type { DriverOptions } from '../../driver-port/driver-options.js'
import type { ProgramResult } from './run-program.js'

/** Characters of a list of texts that are read; the programs are not asked for more. */
export const maxListLength = 4_000_000

/** Looks for texts that came in, every so many milliseconds. */
export interface InboxPolling {
  readonly name: string
  /** Milliseconds; undefined when nobody looks. */
  readonly every: number | undefined
  readonly clock: Clock
  /** Looks once. Throws `trouble`. */
  readonly look: (signal: AbortSignal) => Promise<void>
}

/** The watch that does it; none where nobody looks. Nothing that is sent depends on it. */
export function createPollingWatches({
  name,
  every,
  clock,
  look,
}: InboxPolling): readonly DriverWatch[] {
  if (every === undefined) return []
  const run = async (well: () => void, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await look(signal)
      well()
      await clock.sleep(every, signal)
    }
  }
  return [{ name, isRequiredToSend: false, run }]
}

/** The option `poll` in milliseconds: 5 to 3600 seconds, such as `30s` or `30`. Throws `usage`. */
export function parsePollOption({ poll }: DriverOptions): number | undefined {
  if (poll === undefined) return undefined
  const seconds = Number(/^\s*(\d{1,4})\s*s?\s*$/.exec(poll)?.[1] ?? Number.NaN)
  if (seconds >= 5 && seconds <= 3600) return seconds * 1000
  throw new RelayError('usage', `poll is 5 to 3600 seconds, such as 30s; not "${poll}".`)
}

/** What a program printed as JSON. Throws `trouble`, with what it said in place of it. */
export function parseJsonOutput(ended: ProgramResult, words: string): unknown {
  try {
    if (ended.by === 'exit' && ended.status === 0) return JSON.parse(ended.stdout)
  } catch {
    // Said below.
  }
  throw new DriverError('trouble', `Texts that come in cannot be read. ${words}`)
}

/** A member of an object that was read, where it is a text or a number. */
export function readText(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    value,
  )
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}
