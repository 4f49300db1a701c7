import type { Clock } from '../../util/async/clock.js'

/** Milliseconds that a stop may take. */
const stopLimit = 10_000

export interface StopOptions {
  readonly clock: Pick<Clock, 'after'>
  readonly onLate: () => void
}

/**
 * Stops a relay. If that takes too long, for example because a database does not answer, `onLate`
 * is called; what the relay has confirmed is durable then, too.
 */
export async function stopRelay(
  relay: { stop(): Promise<void> },
  { clock, onLate }: StopOptions,
): Promise<void> {
  const cancel = clock.after(stopLimit, onLate)
  try {
    await relay.stop()
  } finally {
    cancel()
  }
}
