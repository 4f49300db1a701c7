// The store's port: where the relay stores its records. One file for each resource.
//
// 1. A service loads what it needs and passes a pure `decide` function to a `change` method.
// 2. The store calls it with the current record, commits its decision together with the events it
//    causes, and resolves when all of that is durable.
// 3. If the store cannot make it durable, the method rejects with `unavailable`: nothing has
//    changed, or the outcome is unknown. Readers see only durable records.
// 4. After each commit the store calls the listeners of `watch`.
//
// The folder `lowdb` implements the port with files in one directory. The port's test suite takes a
// function `openStore`, for every implementation.

import type { Invitation } from '../../domain/account/person.js'
import type { SecretUrl } from '../../domain/account/secret-url.js'
import type { Message } from '../../domain/message/message.js'
import type { PhoneRecord } from '../../domain/phone/phone-status.js'
import type { EventName } from '../../domain/webhook/event.js'
import type {
  AccountListStore,
  AccountRecordStore,
  AccountStore,
  PersonStore,
  TokenStore,
} from './account-store.js'
import type { AuditStore } from './audit-store.js'
import type { ContactStore } from './contact-store.js'
import type { DeliveryLogStore } from './delivery-log-store.js'
import type { DoNotTextStore } from './do-not-text-store.js'
import type { EventStore } from './event-store.js'
import type { LimitStore } from './limit-store.js'
import type { MessageStore } from './message-store.js'
import type { ReceivedTextStore } from './received-text-store.js'
import type { ResourceStores } from './resource-store.js'
import type { StatisticsStore } from './statistics-store.js'
import type { SubscriptionStore } from './subscription-store.js'
import type { WorkerLeases } from './worker-leases.js'

/** A durable change of an account in the store. */
export interface StoreChange {
  readonly account: string
  readonly messages: readonly string[]
  /**
   * The changed messages that were not removed, if the store has them at hand; those who need them
   * otherwise read them.
   */
  readonly records?: readonly Message[]
  /** Tokens that hold leases of the changed messages. */
  readonly holders: readonly string[]
  readonly events: readonly EventName[]
  /**
   * Ids of the subscriptions that a change in the store created, removed or, by a person, edited.
   */
  readonly subscriptions: readonly string[]
  /**
   * Present if another process changed the store: `messages` and `subscriptions` are empty then,
   * and this tells whether such records changed.
   */
  readonly foreign?: { readonly messages: boolean; readonly subscriptions: boolean }
}

/** Why a change would fail in the store now; the reason names no path, address or secret. */
export interface StoreFailure {
  /** `schema` if the tables of a database are not those of this program. */
  readonly check: 'store' | 'schema'
  readonly reason: string
  /** Whether a write neither succeeds nor fails; a restart may end that. @default false */
  readonly isStuck?: boolean
}

export interface Store extends ResourceStores {
  /** Whether other processes can use the store at the same time. */
  readonly isShared: boolean
  readonly messages: MessageStore
  readonly accounts: AccountStore
  readonly tokens: TokenStore
  readonly people: PersonStore
  readonly invitations: AccountRecordStore<Invitation>
  readonly subscriptions: SubscriptionStore
  readonly events: EventStore
  readonly doNotText: DoNotTextStore
  readonly secretUrls: AccountListStore<SecretUrl>
  readonly phones: AccountRecordStore<PhoneRecord>
  readonly contacts: ContactStore
  readonly receivedTexts: ReceivedTextStore
  readonly statistics: StatisticsStore
  readonly limits: LimitStore
  readonly auditLog: AuditStore
  /** The store's delivery log; that of a subscription is deleted with the subscription. */
  readonly deliveryLog: DeliveryLogStore
  readonly workerLeases: WorkerLeases
  /**
   * Calls `listener` after each durable change of the store until the returned function is called.
   * Calls `onGap` if changes of other nodes may have been missed; listeners then look at the store.
   */
  watch(listener: (change: StoreChange) => void, onGap?: () => void): () => void
  /**
   * Does periodic work on the whole store, such as a sweep, unless another process does work of
   * this name.
   */
  runExclusively(name: string, work: () => Promise<void>): Promise<void>
  /** Deletes expired results of idempotency keys, and the records of limits that it may delete. */
  deleteExpired(now: number): Promise<void>
  /** Whether the store cannot be reached at present; then it reports no changes. */
  isAway(): boolean
  /** Finds out whether the store can make a change durable now; writes nothing unless it failed. */
  findFailure(): Promise<StoreFailure | undefined>
  /** Completes the changes in progress and closes the store. */
  close(): Promise<void>
}
