import type { Delivery } from '../../domain/webhook/delivery.js'

export interface DeliveryLogQuery {
  readonly count: number
  /** Only deliveries of the store's log before the one with this identifier. */
  readonly before?: string | undefined
  readonly failed: boolean
}

export interface DeliveryLogState {
  readonly bytes: number
  /** The most bytes that the store's delivery log may have. */
  readonly maxBytes: number
  /** Time of the oldest delivery in the store's log, in milliseconds since the epoch. */
  readonly oldestAt?: number
}

/**
 * Store of the log of webhook deliveries, for people to read; the last ones may be lost in a crash.
 */
export interface DeliveryLogStore {
  /**
   * Logs a webhook delivery. Never waits and never throws: it is dropped if it cannot be written.
   */
  record(delivery: Delivery): void
  /** Lists logged deliveries, the newest first. */
  list(subscription: string, query: DeliveryLogQuery): Promise<Delivery[]>
  /**
   * Deletes logged deliveries before the day (UTC) of `before`, in milliseconds since the epoch.
   */
  purge(before: number): Promise<void>
  /** Reads from the store the state of the delivery log of all accounts. */
  getState(): Promise<DeliveryLogState>
}
