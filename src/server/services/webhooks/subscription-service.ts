import type { Account } from '../../../domain/account/account.js'
import type { EventName, RelayEvent } from '../../../domain/webhook/event.js'
import { getAttemptNumber, type Subscription } from '../../../domain/webhook/subscription.js'
import {
  editSubscription,
  isWaitingFor,
  pauseOnRequest,
  replayAfter,
  resumeSubscription,
  type SubscriptionChanges,
  skipEvent,
} from '../../../domain/webhook/subscription-state.js'
import { RelayError } from '../../../errors.js'
import type { AddressPolicy } from '../../../net/address-policy.js'
import type { SubscriptionEvents } from '../../store/subscription-store.js'
import type { ServiceContext } from '../service-context.js'
import { assertAllowedAddress } from './webhook-address.js'

export type { SubscriptionChanges }

/** A subscription to make. */
export type SubscriptionDraft = Pick<Subscription, 'url' | 'method' | 'post' | 'onExhausted'> & {
  readonly event: EventName
}

/** What users do with subscriptions (SPEC.md section 4.3); another user's subscription does not exist. */
export class SubscriptionService {
  readonly #context: ServiceContext
  readonly #policy: AddressPolicy | undefined

  /** @param policy which addresses may be called; all of them where it is left out */
  constructor(context: ServiceContext, policy?: AddressPolicy) {
    this.#context = context
    this.#policy = policy
  }

  /** Makes a subscription to the events recorded from now on. Throws `invalid_parameter`. */
  async create(account: Account, draft: SubscriptionDraft): Promise<Subscription> {
    assertAllowedAddress(draft.url, this.#policy)
    const { event, url, method, post, onExhausted = 'pause' } = draft
    return await this.#context.store.subscriptions.create({
      id: this.#context.newId(),
      account: account.id,
      event,
      url,
      method,
      post,
      onExhausted,
      triggered: 0,
      createdAt: this.#context.now(),
    })
  }

  /** The account's subscriptions in order of creation. */
  async list(account: Account): Promise<Subscription[]> {
    return await this.#context.store.subscriptions.list(account.id)
  }

  /** One subscription. Throws `not_a_subscription`. */
  async get(account: Account, id: string): Promise<Subscription> {
    return requireSubscription(await this.#context.store.subscriptions.get(id), account, id)
  }

  /** Changes a subscription whose event is `event`. Throws `not_a_subscription`, `invalid_parameter`. */
  async edit(
    account: Account,
    id: string,
    event: string,
    changes: SubscriptionChanges,
  ): Promise<Subscription> {
    if (changes.url !== undefined) assertAllowedAddress(changes.url, this.#policy)
    return await this.#decide(account, id, subscription => {
      if (subscription.event === event)
        return editSubscription(subscription, changes, this.#context.now())
      throw new RelayError(
        'not_a_subscription',
        `Subscription ${id} does not listen to that event; \`event\` must be the one it was created with.`,
      )
    })
  }

  /** Delivers nothing until {@link resume}; a hit in flight is finished. Throws `not_a_subscription`. */
  async pause(account: Account, id: string): Promise<Subscription> {
    const { now } = this.#context
    return await this.#decide(account, id, it => pauseOnRequest(it, now()))
  }

  /** Delivers again, what waits at once and with its retry times anew. Throws `not_a_subscription`. */
  async resume(account: Account, id: string): Promise<Subscription> {
    const { now } = this.#context
    return await this.#decide(account, id, it => resumeSubscription(it, now()))
  }

  /**
   * Passes the event that waits, which is logged as dead: it has failed, or the lane is paused before it. Throws
   * `not_a_subscription`, and `invalid_state` when none waits, or not the one of number `sequence`.
   */
  async skip(account: Account, id: string, sequence?: number): Promise<Subscription> {
    let passed: { event: RelayEvent; attempt: number } | undefined
    const subscription = await this.#decide(account, id, (current, events) => {
      const event = events.next(current.cursor)
      if (event === undefined || !isWaitingFor(current, event.seq)) throw nothingWaitsError(id)
      if (sequence !== undefined && sequence !== event.seq) throw anotherWaitsError(sequence, event)
      passed = { event, attempt: Math.max(getAttemptNumber(current, event.seq) - 1, 0) }
      return skipEvent(current, event.seq)
    })
    if (passed !== undefined) this.#logSkip(subscription, passed.event, passed.attempt)
    return subscription
  }

  /**
   * Delivers everything again from the event of number `from` on. Throws `not_a_subscription`, and
   * `invalid_parameter` when events from there are no longer kept or yet to be delivered.
   */
  async replay(account: Account, id: string, from: number): Promise<Subscription> {
    return await this.#decide(account, id, (current, events) => {
      const first = events.next(0)
      if (first === undefined || from < first.seq) throw notRetainedError(from, first)
      if (from > current.cursor) throw notDeliveredError(from, current.cursor)
      return replayAfter(current, events.previous(from)?.seq ?? from - 1)
    })
  }

  /** Removes a subscription. Throws `not_a_subscription`. */
  async remove(account: Account, id: string): Promise<void> {
    await this.get(account, id)
    if (!(await this.#context.store.subscriptions.remove(id))) throw notASubscriptionError(id)
  }

  async #decide(
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

  #logSkip({ id: subscription }: Subscription, event: RelayEvent, attempt: number): void {
    const { store, newId, now } = this.#context
    const { seq, message } = event
    const error = 'Skipped by request.'
    const how = { attempt, at: now(), ms: 0, ok: false, dead: true, resend: false, error }
    store.deliveryLog.record({
      ...{ id: newId(), subscription, seq, event: event.event, message },
      ...how,
    })
  }
}

function requireSubscription(
  subscription: Subscription | undefined,
  account: Account,
  id: string,
): Subscription {
  if (subscription?.account === account.id) return subscription
  throw notASubscriptionError(id)
}

function notASubscriptionError(id: string): RelayError {
  return new RelayError(
    'not_a_subscription',
    `There is no subscription ${id}; list the subscriptions to see their ids.`,
  )
}

function nothingWaitsError(id: string): RelayError {
  return new RelayError('invalid_state', `No event of subscription ${id} waits to be skipped.`, {
    hint: 'An event waits when its hit has failed, or when the subscription is paused.',
  })
}

function anotherWaitsError(sequence: number, { seq }: RelayEvent): RelayError {
  return new RelayError('invalid_state', `Event ${sequence} does not wait; event ${seq} does.`)
}

function notRetainedError(from: number, first: RelayEvent | undefined): RelayError {
  const kept = first === undefined ? 'None is kept.' : `The first that is kept is ${first.seq}.`
  return new RelayError(
    'invalid_parameter',
    `\`from\` ${from} is before the events that are kept. ${kept}`,
  )
}

function notDeliveredError(from: number, cursor: number): RelayError {
  return new RelayError(
    'invalid_parameter',
    `\`from\` must be at most ${cursor}: event ${from} is yet to be delivered, if there is one.`,
  )
}
