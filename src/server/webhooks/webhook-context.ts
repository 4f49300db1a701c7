import type { Clock } from '../../util/async/clock.js'
import type { InFlight } from '../../util/async/in-flight.js'
import type { DeliveryAttempt, DeliveryStore } from '../services/webhooks/next-delivery.js'
import type { SendWebhook } from './webhook-sender.js'

export type { DeliveryAttempt }

/** What the lanes of a dispatcher share. */
export interface WebhookContext {
  readonly store: DeliveryStore
  readonly send: SendWebhook
  readonly clock: Clock
  /** A number from 0 to 1, at each call another. */
  readonly random: () => number
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
