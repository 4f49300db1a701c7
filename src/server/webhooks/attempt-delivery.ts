import { createTestRequest, createWebhookRequest } from '../../contract/webhook/webhook-request.js'
import { getEventObject } from '../../domain/webhook/event.js'
import { getAttemptNumber, type Subscription } from '../../domain/webhook/subscription.js'
import type { Clock } from '../../util/async/clock.js'
import type { InFlight } from '../../util/async/in-flight.js'
import { retryUntilSuccess } from '../../util/async/retry-until-success.js'
import type { TurnPacer } from '../../util/async/turn-pacer.js'
import type { Metrics } from '../../util/collections/metrics.js'
import type { TestResult } from '../services/webhooks/delivery-log-service.js'
import {
  type DeliveryAttempt,
  type DeliveryStore,
  type DueEvent,
  passEvent,
  recordDelivery,
} from '../services/webhooks/next-delivery.js'
import { getSigningSecrets } from '../services/webhooks/signing-secret-service.js'
import type { DeliveryResult, SendWebhook } from './webhook-sender.js'
import type { WebhookSlots } from './webhook-slots.js'

export interface WebhookContext {
  readonly store: DeliveryStore
  readonly send: SendWebhook
  readonly clock: Clock
  readonly random: () => number
  readonly from: string
  readonly inFlight: InFlight
  readonly slots: WebhookSlots
  /** Spreads the starts of webhooks over turns of the event loop. */
  readonly pacer: TurnPacer
  readonly metrics: Pick<Metrics, 'increment'>
  /** Aborted when the workers may send no further webhook. */
  readonly stopping: AbortSignal
  /** Aborted when the workers' webhooks in progress must end. */
  readonly abandoning: AbortSignal
  readonly onAttempt: (attempt: DeliveryAttempt) => void
  readonly onError: (error: unknown) => void
}

/**
 * Delivers an event once, and resolves to the subscription when the result is durable. An event
 * about the subscription itself is passed without a webhook.
 */
export async function deliverEvent(
  context: WebhookContext,
  subscription: Subscription,
  due: DueEvent,
  secrets: readonly string[],
): Promise<Subscription | undefined> {
  const { store, clock, stopping, onError } = context
  const { event, message, seq } = due.event
  if (getEventObject(event) === 'subscription' && message === subscription.id) {
    const options = { clock, signal: stopping, onError }
    return await retryUntilSuccess(() => passEvent(store, subscription.id, seq), options)
  }
  const attempt = await sendAttempt(context, subscription, due, secrets)
  return await recordAttempt(context, attempt)
}

/**
 * Sends one webhook; never throws. A retry gets a connection of its own, so that only the first
 * webhook of an event can meet a stale one.
 *
 * @param isRetry @default whether the subscription has tried the event
 */
export async function sendAttempt(
  { clock, from, send, abandoning }: WebhookContext,
  subscription: Subscription,
  { event, previous }: DueEvent,
  secrets: readonly string[],
  isRetry = getAttemptNumber(subscription, event.seq) > 1,
): Promise<DeliveryAttempt> {
  const startedAt = clock.now()
  const details = { previous, from, secrets, timestamp: Math.floor(startedAt / 1000) }
  let result: DeliveryResult
  try {
    const request = createWebhookRequest(event, subscription, details)
    const sending = { account: subscription.account, isAlone: isRetry }
    result = await send(request, abandoning, sending)
  } catch (error) {
    result = { ok: false, error: `The webhook could not be sent: ${String(error)}` }
  }
  return { subscription, event, result, startedAt, endedAt: clock.now(), resend: false }
}

/** Sends a test webhook, which is no event, within the limits of webhooks in flight. */
export async function sendTest(
  { clock, from, send, abandoning, slots, store }: WebhookContext,
  subscription: Subscription,
  id: string,
): Promise<TestResult> {
  const release = await slots.acquire(subscription.account, getWebhookHost(subscription))
  try {
    const startedAt = clock.now()
    const secrets = await getSigningSecrets(store, subscription, startedAt)
    const timestamp = Math.floor(startedAt / 1000)
    const request = createTestRequest(subscription, { id, from, secrets, timestamp })
    const sending = { account: subscription.account, isAlone: true }
    const result = await send(request, abandoning, sending)
    return { ...result, at: startedAt, ms: Math.max(clock.now() - startedAt, 0) }
  } finally {
    release()
  }
}

/** The host and port to which the dispatcher sends a subscription's webhooks. */
export function getWebhookHost({ url }: Subscription): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/**
 * The worker applies the result of a webhook to its subscription, and resolves to that when it is
 * durable; undefined if it was removed. The result of a webhook that a stop aborted does not count:
 * it says nothing about the receiver, and the next start sends the webhook again.
 */
async function recordAttempt(
  context: WebhookContext,
  attempt: DeliveryAttempt,
): Promise<Subscription | undefined> {
  const { store, clock, random, stopping, abandoning, onAttempt, onError } = context
  const { result, subscription, event } = attempt
  if (!result.ok && abandoning.aborted) return undefined
  const { replays } = subscription
  const outcome = { ...result, at: attempt.endedAt, replays, random: random() }
  const recorded = await retryUntilSuccess(
    () => recordDelivery(store, subscription.id, event.seq, outcome),
    { clock, signal: stopping, onError },
  )
  onAttempt({ ...attempt, recorded })
  return recorded
}
