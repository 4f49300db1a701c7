import type { InFlight } from '../../util/async/in-flight.js'
import { type Timers, waitFor } from '../../util/async/timers.js'
import type { DeliveryAttempt, DeliveryStore } from '../services/webhooks/next-delivery.js'
import type { SendWebhook } from './webhook-sender.js'

export type { DeliveryAttempt }

/** What the lanes of a dispatcher share. */
export interface WebhookContext {
  readonly store: DeliveryStore
  readonly send: SendWebhook
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A number from 0 to 1, at each call another. */
  readonly random: () => number
  readonly timers: Timers
  /** Name of the service in `X-Hook-From`. */
  readonly from: string
  readonly inFlight: InFlight
  /** Aborted when no further hit is to be made. */
  readonly stopping: AbortSignal
  /** Aborted when hits in flight are to end. */
  readonly abandoning: AbortSignal
  /** Told of each hit when what it came to is recorded. */
  readonly onAttempt: (attempt: DeliveryAttempt) => void
  /** Told of what failed on our side and is done again. */
  readonly onError: (error: unknown) => void
}

const firstDelay = 250
const maxDelay = 30_000

/**
 * Does `work` until it succeeds, with growing pauses, since the store may be unavailable for a while. Resolves to
 * undefined when it still fails and the dispatcher is stopping.
 */
export async function retryUntilSuccess<T>(
  context: Pick<WebhookContext, 'timers' | 'stopping' | 'onError'>,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (let pause = firstDelay; ; pause = Math.min(pause * 2, maxDelay)) {
    try {
      return await work()
    } catch (error) {
      context.onError(error)
    }
    if (context.stopping.aborted) return undefined
    await waitFor(context.timers, pause, context.stopping)
  }
}
