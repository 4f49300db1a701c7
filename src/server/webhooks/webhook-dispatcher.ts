// From a recorded event to the webhooks of its subscriptions (docs/reference/interface.md 6):
// 1. The store reports a change to webhook-dispatcher, which passes it on to subscription-workers.
// 2. subscription-workers wakes the subscription-worker of each subscription to the event.
// 3. The worker waits for a slot (webhook-slots), which limits the webhooks in flight.
// 4. It finds the next due event in the subscription's window (services/webhooks/next-delivery).
//    attempt-delivery creates the signed request (contract/webhook); webhook-sender sends it and
//    maps the reply to a result. The next one follows at once if the window has a place.
// 5. It records the result by the retry rules (domain/webhook/subscription). When that is
//    durable it continues: with the next event, with a retry timer, or it is idle.
// Of several nodes, each delivers for the accounts whose lease it has (store/worker-leases); a
// worker starts no webhook and records no result without it.
// If the relay crashes between 4 and 5, a webhook is sent twice. No event is lost. The webhooks of
// a subscription start in order; with a window of 1 they also arrive in order.

import { setMaxListeners } from 'node:events'
import type { RelayEvent } from '../../domain/webhook/event.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import { RelayError } from '../../errors.js'
import type { AddressPolicy } from '../../net/address-policy.js'
import type { HostResolver } from '../../net/dns/host-resolver.js'
import type { Clock } from '../../util/async/clock.js'
import { InFlight } from '../../util/async/in-flight.js'
import { TurnPacer } from '../../util/async/turn-pacer.js'
import { Metrics } from '../../util/collections/metrics.js'
import type { TestResult } from '../services/webhooks/delivery-log-service.js'
import {
  type DeliveryAttempt,
  type DeliveryStore,
  isGivenUp,
} from '../services/webhooks/next-delivery.js'
import { sendTest, type WebhookContext } from './attempt-delivery.js'
import { SubscriptionWorkers } from './subscription-workers.js'
import { createWebhookSender, type SendWebhook } from './webhook-sender.js'
import { defaultWebhookLimits, type WebhookLimits, WebhookSlots } from './webhook-slots.js'

export interface WebhookDispatcherOptions {
  readonly store: DeliveryStore
  readonly clock: Clock
  readonly send?: SendWebhook
  /**
   * The addresses to which the dispatcher may send webhooks. @default public and loopback addresses
   */
  readonly policy?: AddressPolicy
  /** Resolves host names of webhook receivers. @default the system's DNS servers */
  readonly resolver?: HostResolver
  /** Returns numbers from 0 to 1 that vary the times of retries. @default 0.5, no variation */
  readonly random?: () => number
  readonly limits?: WebhookLimits
  readonly metrics?: Pick<Metrics, 'increment' | 'histogram'>
  readonly from?: string
  /** Milliseconds that the dispatcher waits at a stop for webhooks in progress. @default 5000 */
  readonly grace?: number
  /** Called with each webhook after its result is recorded. */
  readonly onAttempt?: (attempt: DeliveryAttempt) => void
  /** Called with errors of the relay itself while it delivers; the work is tried again. */
  readonly onError?: (error: unknown) => void
}

/** Delivers recorded events as webhooks to subscriptions between `start` and `stop`. */
export interface WebhookDispatcher {
  start(): Promise<void>
  stop(): Promise<void>
  /**
   * Dispatches one webhook for an event that was tried before, in a slot of its subscription's
   * window; the cursor stays. `previous` is the event before. A node without the lease of the
   * account sends it at once, beside the window. Throws `not_a_subscription` and `unavailable`.
   */
  resend(subscription: Subscription, event: RelayEvent, previous: number): Promise<DeliveryAttempt>
  /**
   * Dispatches a test webhook, which is no event; `id` is its `webhook-id`. Throws `unavailable`.
   */
  test(subscription: Subscription, id: string): Promise<TestResult>
  setLimits(limits: WebhookLimits): void
  idle(): Promise<void>
}

/** The dispatcher needs about 0.3 ms of the processor until a webhook is on the wire. */
const startsPerTurn = 8

/**
 * Creates a {@link WebhookDispatcher} with a worker for each subscription, so that a slow receiver
 * does not delay the others.
 */
export function createWebhookDispatcher(options: WebhookDispatcherOptions): WebhookDispatcher {
  const { store, clock, grace = 5000 } = options
  const { policy, resolver } = options
  const sender = createWebhookSender({ clock, policy, resolver })
  const [stop, abandon] = [new AbortController(), new AbortController()]
  setMaxListeners(0, stop.signal, abandon.signal)
  const signals = { stopping: stop.signal, abandoning: abandon.signal }
  const context = { ...createContext(options), send: options.send ?? sender.send, ...signals }
  const { inFlight, slots } = context
  const workers = new SubscriptionWorkers(context)
  const { workerLeases: leases } = store
  let unwatch = (): void => {}
  return {
    async start() {
      unwatch = watchStore(store, workers)
      await leases.start()
      await workers.startAll()
    },
    async stop() {
      unwatch()
      stop.abort()
      slots.close()
      workers.cancelTimers()
      const cancel = clock.after(grace, () => abandon.abort())
      await inFlight.idle()
      cancel()
      sender.close()
      await leases.stop()
    },
    resend: (subscription, event, previous) => workers.resend(subscription, { event, previous }),
    test: async (subscription, id) => {
      if (stop.signal.aborted) throw new RelayError('unavailable', 'The relay is stopping.')
      return await inFlight.track(sendTest(context, subscription, id))
    },
    setLimits: limits => slots.setLimits(limits),
    idle: () => inFlight.idle(),
  }
}

function watchStore(store: DeliveryStore, workers: SubscriptionWorkers): () => void {
  const unwatchChanges = store.watch(
    change => workers.handleChange(change),
    () => workers.lookAgain(),
  )
  const unwatchLeases = store.workerLeases.watch(() => workers.refresh())
  return () => {
    unwatchChanges()
    unwatchLeases()
  }
}

function createContext(
  options: WebhookDispatcherOptions,
): Omit<WebhookContext, 'send' | 'stopping' | 'abandoning'> {
  const { store, clock, from = 'smsrelay', random = () => 0.5 } = options
  const { limits = defaultWebhookLimits, metrics = new Metrics() } = options
  const duration = metrics.histogram('webhook_delivery_duration_seconds')
  for (const state of ['waiting', 'in_flight', 'retrying']) {
    metrics.increment(`webhook_backlog{state="${state}"}`, 0)
  }
  return {
    store,
    clock,
    random,
    from,
    metrics,
    inFlight: new InFlight(),
    slots: new WebhookSlots(limits, metrics),
    pacer: new TurnPacer(startsPerTurn),
    onAttempt: attempt => {
      duration.observe((attempt.endedAt - attempt.startedAt) / 1000)
      metrics.increment(`webhook_deliveries_total{outcome="${getOutcome(attempt)}"}`)
      options.onAttempt?.(attempt)
    },
    onError: options.onError ?? (() => {}),
  }
}

function getOutcome(attempt: DeliveryAttempt): string {
  if (attempt.result.ok) return 'delivered'
  return isGivenUp(attempt) ? 'given_up' : 'failed'
}
