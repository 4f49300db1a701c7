import { withSignal } from '../../util/async/abort.js'
import type { Pause } from '../../util/async/clock.js'
import { Outage } from '../../util/async/failure-backoff.js'
import { DriverError, type DriverWatch } from '../driver-port/driver.js'
import type { PhoneEvent } from '../events/phone-events.js'
import { sentence } from '../relay/relay-error.js'
import type { Line } from './driver-status.js'

/** What {@link keepWatch} works with. */
export interface WatchOptions {
  readonly line: Line
  /** Told of trouble once until all is well again. */
  readonly onEvent: (event: PhoneEvent) => void
  readonly stop: AbortSignal
  readonly pause: Pause
  readonly random: () => number
}

/** Keeps a watch of a driver going until stopped, after ever longer pauses while it does not work. */
export async function keepWatch(watch: DriverWatch, options: WatchOptions): Promise<void> {
  const { line, onEvent, stop } = options
  const outage = new Outage(options)
  const note = (state: 'opening' | 'up' | 'down', trouble?: string) => {
    if (watch.carries) line.set(watch.name, state, trouble)
  }
  const well = () => {
    note('up')
    if (outage.end()) onEvent({ event: 'recovered' })
  }
  note('opening')
  while (!stop.aborted) {
    const error = await failureOf(watch, well, stop)
    if (stop.aborted) return
    const trouble = sentence(error)
    note('down', trouble)
    if (outage.begin()) onEvent({ event: 'trouble', error: trouble })
    await outage.wait(stop, error instanceof DriverError ? error.wait : 0)
  }
}

async function failureOf(
  watch: DriverWatch,
  well: () => void,
  stop: AbortSignal,
): Promise<unknown> {
  try {
    await withSignal([stop], async signal => await watch.run(well, signal))
    return new DriverError('trouble', `${watch.name} came to an end.`)
  } catch (error) {
    return error
  }
}
