import type { Account } from '../../../domain/account/account.js'
import type { Delivery, DeliveryResult } from '../../../domain/webhook/delivery.js'
import type { RelayEvent } from '../../../domain/webhook/event.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { findRetry, isSettled } from '../../../domain/webhook/tried-events.js'
import { RelayError } from '../../../errors.js'
import type { DeliveryLogQuery, DeliveryLogState } from '../../store/delivery-log-store.js'
import type { Announce, ServiceContext } from '../service-context.js'
import { type DeliverySummary, maxSummarized, summarizeDeliveries } from './delivery-summary.js'
import { type DeliveryAttempt, toDelivery } from './next-delivery.js'
import type { SubscriptionService } from './subscription-service.js'

/**
 * The service's way to send one webhook for an event between two others of its subscription;
 * `previous` is the event before it.
 */
export type ResendWebhook = (
  subscription: Subscription,
  event: RelayEvent,
  previous: number,
) => Promise<DeliveryAttempt>

export interface TestResult extends DeliveryResult {
  readonly at: number
  readonly ms: number
}

/** The service's way to send a test webhook, which is no event; `id` is its `webhook-id`. */
export type SendTest = (subscription: Subscription, id: string) => Promise<TestResult>

export interface RequestedWebhooks {
  readonly resend: ResendWebhook
  readonly test: SendTest
}

export class DeliveryLogService {
  readonly #context: ServiceContext
  readonly #subscriptions: SubscriptionService
  readonly #webhooks: RequestedWebhooks

  constructor(
    context: ServiceContext,
    subscriptions: SubscriptionService,
    webhooks: RequestedWebhooks,
  ) {
    this.#context = context
    this.#subscriptions = subscriptions
    this.#webhooks = webhooks
  }

  /**
   * Gets the size of the delivery log of all accounts, for users, and since when it has entries.
   */
  async getState(): Promise<DeliveryLogState> {
    return await this.#context.store.deliveryLog.getState()
  }

  /** Lists the webhook deliveries of a subscription, newest first. Throws `not_a_subscription`. */
  async list(account: Account, id: string, query: DeliveryLogQuery): Promise<Delivery[]> {
    const subscription = await this.#subscriptions.get(account, id)
    return await this.#context.store.deliveryLog.list(subscription.id, query)
  }

  /**
   * Summarizes the webhook deliveries of a subscription in the last day, at most the latest 1,000.
   * Throws `not_a_subscription`. @param offset minutes ahead of UTC of the clock of the hours
   */
  async summarize(account: Account, id: string, offset: number): Promise<DeliverySummary> {
    const latest = await this.list(account, id, { count: maxSummarized, failed: false })
    return summarizeDeliveries(latest, this.#context.clock.now(), offset)
  }

  /**
   * Sends a test webhook of a subscription, also while it is paused. It is no event and not logged.
   * Throws `not_a_subscription` and `unavailable`.
   */
  async test(account: Account, id: string, announce?: Announce<Subscription>): Promise<TestResult> {
    const subscription = await this.#subscriptions.get(account, id)
    await announce?.(subscription)
    return await this.#webhooks.test(subscription, `test_${this.#context.newId()}`)
  }

  /**
   * Sends one more webhook for an event that was tried before; the subscription's cursor stays.
   * Throws `not_a_subscription`, `not_found` if the event is deleted, `invalid_state` if it has not
   * been tried yet, and `unavailable`.
   */
  async resend(
    account: Account,
    id: string,
    seq: number,
    announce?: Announce<Subscription>,
  ): Promise<Delivery> {
    const { store, newId } = this.#context
    const subscription = await this.#subscriptions.get(account, id)
    const { account: owner, event: name } = subscription
    const [event] = await store.events.listAfter(owner, name, seq - 1, 1)
    if (event?.seq !== seq) throw notRetainedError(seq, id)
    if (!wasTried(subscription, seq)) throw notTriedError(seq)
    const before = await store.events.findBefore(owner, name, seq)
    await announce?.(subscription)
    const attempt = await this.#webhooks.resend(subscription, event, before?.seq ?? seq - 1)
    const delivery = toDelivery(attempt, newId())
    store.deliveryLog.record(delivery)
    return delivery
  }
}

function wasTried(subscription: Subscription, seq: number): boolean {
  return isSettled(subscription, seq) || findRetry(subscription, seq) !== undefined
}

function notRetainedError(seq: number, id: string): RelayError {
  return new RelayError('not_found', `Event ${seq} is deleted or not one of subscription ${id}.`)
}

function notTriedError(seq: number): RelayError {
  return new RelayError(
    'invalid_state',
    `Event ${seq} has not been tried yet; wait for its first webhook.`,
  )
}
