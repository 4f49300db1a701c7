import {
  createTestRequest,
  createWebhookRequest,
  formatWebhookRequest,
  maskReply,
  type WebhookRequest,
} from '../../contract/webhook/webhook-request.js'
import { maxRequestLength } from '../../domain/webhook/delivery.js'
import { getEventObject } from '../../domain/webhook/event.js'
import { getAttemptNumber, type Subscription } from '../../domain/webhook/subscription.js'
import { runWithSignal } from '../../util/async/abort.js'
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
  type WorkerLease,
} from '../services/webhooks/next-delivery.js'
import { getSigningSecrets } from '../services/webhooks/signing-secret-service.js'
import { stoppingError } from './resend-queue.js'
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
  readonly pacer: TurnPacer
  readonly metrics: Pick<Metrics, 'increment'>
  /** Aborted when the workers may send no further webhook. */
  readonly stopping: AbortSignal
  /** Aborted when the workers' webhooks in progress must end. */
  readonly abandoning: AbortSignal
  readonly onAttempt: (attempt: DeliveryAttempt) => void
  readonly onError: (error: unknown) => void
}

/** What a worker sends next: an event of its subscription, with what its webhook needs. */
export interface DueWebhook {
  readonly subscription: Subscription
  readonly due: DueEvent
  readonly secrets: readonly string[]
}

/**
 * Delivers an event once, and resolves to the subscription when the result is durable. An event
 * about the subscription itself is passed without a webhook.
 */
export async function deliverEvent(
  context: WebhookContext,
  webhook: DueWebhook,
  lease: WorkerLease,
): Promise<Subscription | undefined> {
  const { store } = context
  const { subscription, due } = webhook
  const { event, message, seq } = due.event
  if (getEventObject(event) === 'subscription' && message === subscription.id) {
    const position = { id: subscription.id, seq, lease }
    return await retryUnderLease(context, lease, () => passEvent(store, position))
  }
  const isRetry = getAttemptNumber(subscription, seq) > 1
  const attempt = await sendAttempt(context, webhook, { isRetry, lease })
  return await recordAttempt(context, attempt, lease)
}

interface AttemptOptions {
  /**
   * Whether the webhook gets a connection of its own, so that only the first webhook of an event
   * can meet a stale one.
   */
  readonly isRetry: boolean
  readonly lease?: WorkerLease
}

export async function sendAttempt(
  { clock, from, send, abandoning }: WebhookContext,
  { subscription, due: { event, previous }, secrets }: DueWebhook,
  { isRetry, lease }: AttemptOptions,
): Promise<DeliveryAttempt> {
  const startedAt = clock.now()
  const details = { previous, from, secrets, timestamp: Math.floor(startedAt / 1000) }
  let result: DeliveryResult
  try {
    const request = createWebhookRequest(event, subscription, details)
    const sending = { account: subscription.account, isAlone: isRetry, lease }
    result = withRequest(request, await send(request, abandoning, sending))
  } catch (error) {
    result = { ok: false, error: `The webhook could not be sent: ${String(error)}` }
  }
  return { subscription, event, result, startedAt, endedAt: clock.now(), resend: false }
}

function withRequest(request: WebhookRequest, result: DeliveryResult): DeliveryResult {
  const { reply } = result
  return {
    ...result,
    ...(reply === undefined ? {} : { reply: maskReply(reply, request) }),
    request: formatWebhookRequest(request, maxRequestLength),
  }
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
    const result = withRequest(request, await send(request, abandoning, sending))
    return { ...result, at: startedAt, ms: Math.max(clock.now() - startedAt, 0) }
  } finally {
    release()
  }
}

/**
 * Sends an event's webhook again without the worker of its subscription, within the limits of
 * webhooks in flight. Throws `unavailable`.
 */
export async function resendEvent(
  context: WebhookContext,
  subscription: Subscription,
  due: DueEvent,
): Promise<DeliveryAttempt> {
  const { slots, store, clock, stopping, abandoning } = context
  const release = await slots.acquire(subscription.account, getWebhookHost(subscription))
  try {
    if (stopping.aborted) throw stoppingError()
    const secrets = await getSigningSecrets(store, subscription, clock.now())
    const attempt = await sendAttempt(context, { subscription, due, secrets }, { isRetry: true })
    if (!attempt.result.ok && abandoning.aborted) throw stoppingError()
    return { ...attempt, resend: true }
  } finally {
    release()
  }
}

export function getWebhookHost({ url }: Subscription): string {
  return URL.canParse(url) ? new URL(url).host : url
}

async function recordAttempt(
  context: WebhookContext,
  attempt: DeliveryAttempt,
  lease: WorkerLease,
): Promise<Subscription | undefined> {
  const { store, random, abandoning, onAttempt } = context
  const { result, subscription, event } = attempt
  if (!result.ok && (abandoning.aborted || !lease.canStart())) return undefined
  const { replays } = subscription
  const outcome = { ...result, at: attempt.endedAt, replays, random: random() }
  const position = { id: subscription.id, seq: event.seq, lease }
  const recorded = await retryUnderLease(context, lease, () =>
    recordDelivery(store, position, outcome),
  )
  onAttempt({ ...attempt, recorded })
  return recorded
}

/** Repeats work until it succeeds, the relay stops or the lease ends. */
async function retryUnderLease<T>(
  { clock, stopping, onError }: WebhookContext,
  { ending }: WorkerLease,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const retry = (signal: AbortSignal) => retryUntilSuccess(work, { clock, signal, onError })
  return ending === undefined
    ? await retry(stopping)
    : await runWithSignal([stopping, ending], retry)
}
