import type { Account } from '../domain/account.js'
import type { EventName } from '../domain/events.js'
import type { Subscription } from '../domain/subscription.js'
import { RelayError } from '../errors.js'
import type { AddressPolicy } from '../util/address-policy.js'
import type { ServiceContext } from './context.js'
import { assertCallable } from './hook-address.js'

/** A subscription to make. */
export type SubscriptionDraft = Pick<Subscription, 'url' | 'method' | 'post'> & {
  readonly event: EventName
}

/** Changes to a subscription. */
export type SubscriptionChanges = Partial<Pick<Subscription, 'url' | 'method' | 'post'>>

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
    assertCallable(draft.url, this.#policy)
    const { event, url, method, post } = draft
    return await this.#context.store.subscriptions.create({
      id: this.#context.newId(),
      account: account.id,
      event,
      url,
      method,
      post,
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
    return assertOwned(await this.#context.store.subscriptions.get(id), account, id)
  }

  /** Changes a subscription whose event is `event`. Throws `not_a_subscription`, `invalid_parameter`. */
  async edit(
    account: Account,
    id: string,
    event: string,
    changes: SubscriptionChanges,
  ): Promise<Subscription> {
    if (changes.url !== undefined) assertCallable(changes.url, this.#policy)
    const edited = await this.#context.store.subscriptions.change(id, current => {
      const subscription = assertOwned(current, account, id)
      if (subscription.event === event) return { ...subscription, ...changes }
      throw new RelayError(
        'not_a_subscription',
        `Subscription ${id} does not listen to that event; \`event\` must be the one it was created with.`,
      )
    })
    return assertOwned(edited, account, id)
  }

  /** Removes a subscription. Throws `not_a_subscription`. */
  async remove(account: Account, id: string): Promise<void> {
    await this.get(account, id)
    if (!(await this.#context.store.subscriptions.remove(id))) throw notASubscription(id)
  }
}

function assertOwned(
  subscription: Subscription | undefined,
  account: Account,
  id: string,
): Subscription {
  if (subscription?.account === account.id) return subscription
  throw notASubscription(id)
}

function notASubscription(id: string): RelayError {
  return new RelayError(
    'not_a_subscription',
    `There is no subscription ${id}; list the subscriptions to see their ids.`,
  )
}
