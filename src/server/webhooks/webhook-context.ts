import type { Activity } from '../../util/async/in-flight.js'
import { type Timers, waitFor } from '../../util/async/timers.js'
import type { Attempt, DeliveryStore } from '../services/webhooks/next-delivery.js'
import type { Send } from './webhook-sender.js'

export type { Attempt }

/** What the lanes of a dispatcher share. */
export interface LaneContext {
  readonly store: DeliveryStore
  readonly send: Send
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A number from 0 to 1, at each call another. */
  readonly random: () => number
  readonly timers: Timers
  /** Name of the service in `X-Hook-From`. */
  readonly from: string
  readonly activity: Activity
  /** Aborted when no further hit is to be made. */
  readonly stopping: AbortSignal
  /** Aborted when hits in flight are to end. */
  readonly abandoning: AbortSignal
  /** Told of each hit when what it came to is recorded. */
  readonly onAttempt: (attempt: Attempt) => void
  /** Told of what failed on our side and is done again. */
  readonly onTrouble: (error: unknown) => void
}

const firstPause = 250
const longestPause = 30_000

/**
 * Does `work` until it succeeds, with growing pauses, since the store may be unavailable for a while. Resolves to
 * undefined when it still fails and the dispatcher is stopping.
 */
export async function insist<T>(
  context: Pick<LaneContext, 'timers' | 'stopping' | 'onTrouble'>,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await work()
    } catch (error) {
      context.onTrouble(error)
    }
    if (context.stopping.aborted) return undefined
    await waitFor(context.timers, pause, context.stopping)
  }
}
