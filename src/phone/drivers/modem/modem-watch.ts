import { runWithSignal } from '../../../util/async/abort.js'
import type { Clock } from '../../../util/async/clock.js'
import { DriverError } from '../../driver-port/driver.js'
import type { AtChannel } from './at-channel.js'

/** Milliseconds. */
const checkInterval = 30_000

/**
 * Watches an open line until stopped; an idle modem is asked now and then whether it is there, because one that hangs
 * says nothing by itself. Throws {@link DriverError} of kind `trouble` when the line is gone.
 */
export async function watchModem(
  channel: AtChannel,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const gone = new AbortController()
  void channel.ended.then(() => gone.abort())
  await runWithSignal([signal, gone.signal], async either => {
    while (!either.aborted) {
      await clock.sleep(checkInterval, either)
      if (!either.aborted) await channel.run({ command: 'AT' }).catch(() => {})
    }
  })
  if (signal.aborted) return
  throw new DriverError('trouble', `The line to the modem was closed (${await channel.ended}).`)
}
