import { errorText } from '../../errors.js'
import { runWithSignal } from '../../util/async/abort.js'
import type { Pause } from '../../util/async/clock.js'
import { FailureBackoff } from '../../util/async/failure-backoff.js'
import { DriverError, type DriverWatch } from '../driver-port/driver.js'
import type { PhoneEvent } from '../events/phone-events.js'
import type { DriverStatus } from './driver-status.js'

/** What {@link keepWatch} works with. */
export interface DriverWatcherOptions {
  readonly line: DriverStatus
  /** Told of trouble once until all is well again. */
  readonly onEvent: (event: PhoneEvent) => void
  readonly stop: AbortSignal
  readonly pause: Pause
  readonly random: () => number
}

/** Keeps a watch of a driver going until stopped, after ever longer pauses while it does not work. */
export async function runWatch(watch: DriverWatch, options: DriverWatcherOptions): Promise<void> {
  const { line, onEvent, stop } = options
  const outage = new FailureBackoff(options)
  const note = (state: 'opening' | 'up' | 'down', trouble?: string) => {
    if (watch.isRequiredToSend) line.setWayState(watch.name, state, trouble)
  }
  const well = () => {
    note('up')
    if (outage.recordSuccess()) onEvent({ event: 'recovered' })
  }
  note('opening')
  while (!stop.aborted) {
    const error = await runUntilFailure(watch, well, stop)
    if (stop.aborted) return
    const trouble = errorText(error)
    note('down', trouble)
    if (outage.recordFailure()) onEvent({ event: 'trouble', error: trouble })
    await outage.wait(stop, error instanceof DriverError ? error.wait : 0)
  }
}

async function runUntilFailure(
  watch: DriverWatch,
  well: () => void,
  stop: AbortSignal,
): Promise<unknown> {
  try {
    await runWithSignal([stop], async signal => await watch.run(well, signal))
    return new DriverError('trouble', `${watch.name} came to an end.`)
  } catch (error) {
    return error
  }
}
