import type { RelayEvent } from '../../domain/webhook/event.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import type { WorkerLease } from './worker-leases.js'

/** The store's events of a subscription's account and name, for a decision on it. */
export interface SubscriptionEvents {
  next(seq: number): RelayEvent | undefined
  previous(seq: number): RelayEvent | undefined
}

export interface SubscriptionChangeOptions {
  /** Whether `Store.watch` reports the change; not for a worker's own changes. @default false */
  readonly notify?: boolean
  /**
   * Lease under which a worker recorded the change. If the store has given it to another node
   * since, nothing changes, and the result is undefined. @default a change by a person
   */
  readonly lease?: WorkerLease
}

/** The events that the subscriptions of one state still have before them. */
export interface EventBacklog {
  /** `retrying`: the webhook of the store's first such event has failed. */
  readonly state: 'active' | 'retrying' | 'paused'
  readonly events: number
  /** When the store recorded the first of them, in milliseconds since the epoch. */
  readonly oldestAt?: number
}

/** Store of the subscriptions and their position in the order of events. */
export interface SubscriptionStore {
  get(id: string): Promise<Subscription | undefined>
  /** Lists an account's stored subscriptions in order of creation, or all of them. */
  list(account?: string): Promise<Subscription[]>
  /**
   * Stores a subscription to the events recorded after this.
   * @param check gets the number of the account's other subscriptions; nothing is stored if it
   * throws
   */
  create(
    subscription: Omit<Subscription, 'cursor'>,
    check?: (count: number) => void,
  ): Promise<Subscription>
  /**
   * Changes a stored subscription. If that pauses or resumes it, `Store.watch` reports it, and the
   * event of it is recorded if another subscription of the account has that event, and it is
   * `unreported` if the account has `alerts`.
   */
  change(
    id: string,
    decide: (subscription: Subscription, events: SubscriptionEvents) => Subscription,
    options?: SubscriptionChangeOptions,
  ): Promise<Subscription | undefined>
  /**
   * Lists the identifiers of the stored subscriptions whose listener made its last contact before a
   * time, in milliseconds since the epoch.
   */
  listAbandoned(before: number): Promise<string[]>
  /** Counts the events before all subscriptions of the store, by their state. */
  listBacklogs(): Promise<EventBacklog[]>
  /**
   * Removes a subscription from the store; resolves to whether it existed.
   * @param check gets the current subscription; nothing is removed if it throws
   */
  remove(id: string, check?: (current: Subscription) => void): Promise<boolean>
}
