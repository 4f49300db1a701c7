import type { Delivery } from '../../domain/webhook/delivery.js'

/** A page of the logged attempts of a subscription. */
export interface DeliveryLogQuery {
  readonly count: number
  /** Only those before the one with this identifier. */
  readonly before?: string | undefined
  /** Only those that were not ok. */
  readonly failed: boolean
}

/** The log of attempts: kept for people to look at, not a part of what is promised to be durable. */
export interface DeliveryLogStore {
  /** Notes an attempt. Never waits and never throws: what cannot be written is dropped. */
  record(delivery: Delivery): void
  /** The attempts of a subscription, the newest first. */
  list(subscription: string, query: DeliveryLogQuery): Promise<Delivery[]>
  /** Removes what was noted before a day, `before` being a time in it (milliseconds since the epoch). */
  purge(before: number): Promise<void>
}
