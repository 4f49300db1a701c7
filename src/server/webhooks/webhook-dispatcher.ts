import { setMaxListeners } from 'node:events'
import type { RelayEvent } from '../../domain/webhook/event.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import type { AddressPolicy } from '../../net/address-policy.js'
import type { Clock } from '../../util/async/clock.js'
import { InFlight } from '../../util/async/in-flight.js'
import type { DeliveryAttempt, DeliveryStore } from '../services/webhooks/next-delivery.js'
import { SubscriptionWorkers } from './subscription-workers.js'
import type { WebhookContext } from './webhook-context.js'
import { createWebhookSender, type SendWebhook } from './webhook-sender.js'

/** Options of {@link createDispatcher}. */
export interface WebhookDispatcherOptions {
  readonly store: DeliveryStore
  /** Makes the hits. @default over HTTP, with connections that `stop` ends */
  readonly send?: SendWebhook
  /** Which addresses are called. @default public and loopback ones */
  readonly policy?: AddressPolicy
  readonly clock: Clock
  /** Numbers from 0 to 1 to move retries by. @default 0.5, no move */
  readonly random?: () => number
  /** What `X-Hook-From` says. @default smsrelay */
  readonly from?: string
  /** Milliseconds that hits in flight are given when the dispatcher stops. @default 5000 */
  readonly grace?: number
  /** Told of each hit when what it came to is recorded. */
  readonly onAttempt?: (attempt: DeliveryAttempt) => void
  /** Told of what failed on our side and is done again. */
  readonly onError?: (error: unknown) => void
}

/** Delivers recorded events to subscriptions, from `start` to `stop` (SPEC.md section 6). */
export interface WebhookDispatcher {
  /** Takes up every stored subscription where it was left, and those created later. */
  start(): Promise<void>
  /** Makes no further hit, and resolves when nothing runs any more; what was not delivered is after the next start. */
  stop(): Promise<void>
  /**
   * Makes one hit for an event its lane has had, in its lane's turn and without moving it; `previous` is the event
   * before. Throws `not_a_subscription` and `unavailable`.
   */
  resend(subscription: Subscription, event: RelayEvent, previous: number): Promise<DeliveryAttempt>
  /** Resolves when no event is due. */
  idle(): Promise<void>
}

/** Makes a {@link Dispatcher} with a lane for each subscription; a lane that waits does not hold up the others. */
export function createWebhookDispatcher(options: WebhookDispatcherOptions): WebhookDispatcher {
  const { store, clock, from = 'smsrelay', grace = 5000 } = options
  const { onAttempt = () => {}, onError: onTrouble = () => {}, random = () => 0.5 } = options
  const sender = createWebhookSender({
    clock,
    ...(options.policy && { policy: options.policy }),
  })
  const send = options.send ?? sender.send
  const activity = new InFlight()
  const stop = new AbortController()
  const abandon = new AbortController()
  setMaxListeners(0, stop.signal, abandon.signal)
  const context: WebhookContext = {
    ...{
      store,
      send,
      clock,
      random,
      from,
      inFlight: activity,
      onAttempt,
      onError: onTrouble,
    },
    stopping: stop.signal,
    abandoning: abandon.signal,
  }
  const lanes = new SubscriptionWorkers(context)
  let unwatch = (): void => {}
  return {
    async start() {
      unwatch = store.watch(notice => lanes.handleChange(notice))
      lanes.startAll(await store.subscriptions.list())
    },
    async stop() {
      unwatch()
      stop.abort()
      lanes.sleep()
      const cancel = clock.after(grace, () => abandon.abort())
      await activity.idle()
      cancel()
      sender.close()
    },
    async resend(subscription, event, previous) {
      return await lanes.getOrStart(subscription).resend(event, previous)
    },
    async idle() {
      await activity.idle()
    },
  }
}
