import type { Account } from '../../../domain/account/account.js'
import {
  getAttemptNumber,
  pauseSubscription,
  replayAfter,
  type Subscription,
} from '../../../domain/webhook/subscription.js'
import { listenerTimeLimit } from '../../../domain/webhook/subscription-listener.js'
import {
  editSubscription,
  findWaitingEvent,
  isWaitingFor,
  resumeSubscription,
  type SubscriptionChanges,
} from '../../../domain/webhook/subscription-state.js'
import { settleEvent } from '../../../domain/webhook/tried-events.js'
import type { AddressPolicy } from '../../../net/address-policy.js'
import type { SubscriptionEvents } from '../../store/subscription-store.js'
import { assertAccountExists } from '../create-account-record.js'
import type { ServiceContext } from '../service-context.js'
import { removeIfAbandoned } from './remove-if-abandoned.js'
import { logSkip, type SkippedEvent } from './skipped-delivery.js'
import {
  anotherWaitsError,
  assertFewerThan,
  assertHeadersStay,
  assertOneAuthorization,
  notASubscriptionError,
  notDeliveredError,
  nothingWaitsError,
  notRetainedError,
  otherEventError,
  requireSubscription,
} from './subscription-errors.js'
import { assertAllowedAddress } from './webhook-address.js'

export type SubscriptionDraft = Pick<
  Subscription,
  'event' | 'url' | 'method' | 'post' | 'headers' | 'onExhausted' | 'window' | 'schedule'
> &
  Pick<SubscriptionChanges, 'listenerName'>

/** Checks the current subscription in the change of a service; nothing changes if it throws. */
export type SubscriptionPrecondition = (current: Subscription) => void

export interface SubscriptionLimits {
  /** The addresses that the service accepts in subscriptions. @default all */
  readonly policy?: AddressPolicy
  /** Most subscriptions of an account without a limit of its own in the service. @default all */
  readonly max?: () => number
}

/**
 * What users do with subscriptions (docs/reference/interface.md 4.3). A subscription of another
 * account counts as one that does not exist.
 */
export class SubscriptionService {
  readonly #context: ServiceContext
  readonly #limits: SubscriptionLimits
  readonly #startedAt: number

  constructor(context: ServiceContext, limits: SubscriptionLimits = {}) {
    this.#context = context
    this.#limits = limits
    this.#startedAt = context.clock.now()
  }

  /**
   * Creates a subscription to the events from now on. Throws `invalid_parameter`, and
   * `invalid_state` if the account has as many as it may have.
   */
  async create(account: Account, draft: SubscriptionDraft): Promise<Subscription> {
    assertAllowedAddress(draft.url, this.#limits.policy)
    const { event, url, method, post, onExhausted = 'pause', window = 1, schedule } = draft
    const { headers, listenerName: name } = draft
    const { subscriptions, accounts } = this.#context.store
    const createdAt = this.#context.clock.now()
    const subscription = {
      id: this.#context.newId(),
      account: account.id,
      event,
      url,
      method,
      post,
      onExhausted,
      ...(window === 1 ? {} : { window }),
      ...(schedule === undefined ? {} : { schedule }),
      ...(headers === undefined ? {} : { headers }),
      ...(name === undefined ? {} : { listener: { name, seenAt: createdAt } }),
      triggered: 0,
      createdAt,
    }
    assertOneAuthorization(subscription)
    const { limits } = account
    const { max = () => Number.POSITIVE_INFINITY } = this.#limits
    const created = await subscriptions.create(subscription, count =>
      assertFewerThan(count, limits?.subscriptions, max()),
    )
    await assertAccountExists(accounts, account.id, () => subscriptions.remove(created.id))
    return created
  }

  async list(account: Account): Promise<Subscription[]> {
    return await this.#context.store.subscriptions.list(account.id)
  }

  async get(account: Account, id: string): Promise<Subscription> {
    return requireSubscription(await this.#context.store.subscriptions.get(id), account, id)
  }

  /** Edits a subscription to `event`. Throws `not_a_subscription` and `invalid_parameter`. */
  async edit(
    account: Account,
    id: string,
    event: string,
    changes: SubscriptionChanges,
    precondition?: SubscriptionPrecondition,
  ): Promise<Subscription> {
    if (changes.url !== undefined) assertAllowedAddress(changes.url, this.#limits.policy)
    return await this.change(account, id, subscription => {
      if (subscription.event === event) {
        precondition?.(subscription)
        assertHeadersStay(subscription, changes)
        const edited = editSubscription(subscription, changes, this.#context.clock.now())
        assertOneAuthorization(edited)
        return edited
      }
      throw otherEventError(subscription, event)
    })
  }

  /**
   * Pauses a subscription: delivers nothing until {@link resume}; a webhook in progress is
   * finished. Throws `not_a_subscription`.
   */
  async pause(
    account: Account,
    id: string,
    precondition?: SubscriptionPrecondition,
  ): Promise<Subscription> {
    return await this.change(account, id, current => {
      precondition?.(current)
      return pauseSubscription(current, this.#context.clock.now(), 'request')
    })
  }

  /**
   * Resumes a subscription: the event that waits is sent at once, its retries start again. Throws
   * `not_a_subscription`.
   */
  async resume(
    account: Account,
    id: string,
    precondition?: SubscriptionPrecondition,
  ): Promise<Subscription> {
    return await this.change(account, id, current => {
      precondition?.(current)
      return resumeSubscription(current, this.#context.clock.now())
    })
  }

  /**
   * Skips the first event that a subscription waits for, because it failed or because the
   * subscription is paused, or the waiting event number `sequence`; logs it as dead. Throws
   * `not_a_subscription`, and `invalid_state` if no event waits, or that one does not.
   */
  async skip(
    account: Account,
    id: string,
    sequence?: number,
    precondition?: SubscriptionPrecondition,
  ): Promise<Subscription> {
    let skipped: SkippedEvent | undefined
    const subscription = await this.change(account, id, (current, events) => {
      const first = events.next(current.cursor)?.seq
      const waiting = findWaitingEvent(current, first)
      if (waiting === undefined) throw nothingWaitsError(id)
      const seq = sequence ?? waiting
      const event = events.next(seq - 1)
      const isWaiting = event?.seq === seq && isWaitingFor(current, seq, first)
      if (!isWaiting) throw anotherWaitsError(seq, waiting)
      precondition?.(current)
      skipped = { event, attempt: Math.max(getAttemptNumber(current, seq) - 1, 0) }
      return settleEvent(current, seq, events.next)
    })
    if (skipped !== undefined) logSkip(this.#context, subscription, skipped)
    return subscription
  }

  /**
   * Replays a subscription: delivers all events again from number `from` on. Throws
   * `not_a_subscription`, and `invalid_parameter` if that event is deleted or was never delivered.
   */
  async replay(
    account: Account,
    id: string,
    from: number,
    precondition?: SubscriptionPrecondition,
  ): Promise<Subscription> {
    return await this.change(account, id, (current, events) => {
      const first = events.next(0)
      if (first === undefined || from < first.seq) throw notRetainedError(from, first)
      if (from > current.cursor) throw notDeliveredError(from, current.cursor)
      precondition?.(current)
      return replayAfter(current, events.previous(from)?.seq ?? from - 1)
    })
  }

  async remove(
    account: Account,
    id: string,
    precondition?: SubscriptionPrecondition,
  ): Promise<void> {
    await this.get(account, id)
    const isRemoved = await this.#context.store.subscriptions.remove(id, precondition)
    if (!isRemoved) throw notASubscriptionError(id)
  }

  /**
   * Removes the subscriptions whose `hook listen` made no contact for an hour. After a start of the
   * relay, listeners have an hour to make contact again. Throws `unavailable`.
   */
  async removeAbandoned(): Promise<void> {
    const before = this.#context.clock.now() - listenerTimeLimit
    if (before <= this.#startedAt) return
    const { subscriptions } = this.#context.store
    for (const id of await subscriptions.listAbandoned(before)) {
      await removeIfAbandoned(subscriptions, id, before)
    }
  }

  async change(
    account: Account,
    id: string,
    decide: (subscription: Subscription, events: SubscriptionEvents) => Subscription,
  ): Promise<Subscription> {
    const changed = await this.#context.store.subscriptions.change(
      id,
      (current, events) => decide(requireSubscription(current, account, id), events),
      { notify: true },
    )
    return requireSubscription(changed, account, id)
  }
}
