// `smsrelay hook receive` is a receiver that fails on purpose and counts what it gets.
//
// FaultyReceiver answers each request of ../webhook-receiver.ts:
//
// 1. received-webhook.ts parses the webhook and checks its signature.
// 2. fault-plan.ts decides by the seed: a delay, then success, an error status or a reset.
// 3. subscription-counts.ts counts it for its address; order-checker.ts finds doubled, reordered
//    and lost events.
// 4. commands/hook/receive.ts prints it, and at the end the counts (receive-view.ts).
import { once } from 'node:events'
import type { EventObjectFields } from '../../../contract/event-schema.js'
import { runWithSignal } from '../../../util/async/abort.js'
import type { Clock } from '../../../util/async/clock.js'
import {
  type IncomingWebhook,
  startWebhookReceiver,
  type WebhookReply,
} from '../webhook-receiver.js'
import type { FaultPlan } from './fault-plan.js'
import {
  getObjectType,
  parseReceivedWebhook,
  type ReceivedWebhook,
  type SignatureCheck,
} from './received-webhook.js'
import {
  SubscriptionCounter,
  type SubscriptionCounts,
  type WebhookOutcome,
} from './subscription-counts.js'

export interface AnsweredWebhook extends EventObjectFields<string | null> {
  readonly address: string
  readonly id: string
  readonly sequence: number | null
  readonly previous: number | null
  readonly outcome: WebhookOutcome
  /** HTTP status that `hook receive` sent; null if it reset the connection. */
  readonly status: number | null
}

export interface ReceiveOptions {
  readonly host: string
  readonly port: number
  readonly plan: FaultPlan
  /** Signature check of received webhooks; one that fails gets 401. @default no check */
  readonly check?: SignatureCheck | undefined
  /**
   * `hook receive` ends after this number of different events, at a response of 200.
   * @default no limit
   */
  readonly count?: number | undefined
  readonly maxWait?: number | undefined
  /**
   * Window of the subscriptions that `hook receive` checks: the order of so many webhooks may
   * differ. @default 1
   */
  readonly window?: number | undefined
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly onReady: (url: string) => void
  readonly onWebhook: (webhook: AnsweredWebhook) => void
}

export interface ReceiveResult {
  readonly reason: 'count' | 'max-wait' | 'stopped'
  readonly received: number
  /** Number of requests to `hook receive` that are not webhooks of a relay. */
  readonly strange: number
  readonly subscriptions: readonly SubscriptionCounts[]
}

/** Runs `hook receive` until its end. Throws `configuration` if it cannot bind the address. */
export async function receiveWebhooks(options: ReceiveOptions): Promise<ReceiveResult> {
  const receiver = new FaultyReceiver(options)
  const { host, port } = options
  const server = await startWebhookReceiver({
    host,
    port,
    onWebhook: webhook => receiver.answer(webhook),
  })
  try {
    options.onReady(server.url)
    const reason = await waitForEnd(options, receiver.countReached)
    return { reason, ...receiver.end() }
  } finally {
    receiver.end()
    await server.close()
  }
}

class FaultyReceiver {
  readonly #options: ReceiveOptions
  readonly #counters = new Map<string, SubscriptionCounter>()
  readonly #countReached = new AbortController()
  readonly #ended = new AbortController()
  #received = 0
  #accepted = 0
  #strange = 0

  constructor(options: ReceiveOptions) {
    this.#options = options
  }

  get countReached(): AbortSignal {
    return this.#countReached.signal
  }

  end(): Omit<ReceiveResult, 'reason'> {
    this.#ended.abort()
    const subscriptions = [...this.#counters.values()].map(counter => counter.counts)
    return { received: this.#received, strange: this.#strange, subscriptions }
  }

  async answer(incoming: IncomingWebhook): Promise<WebhookReply> {
    const webhook = parseReceivedWebhook(incoming)
    if (webhook === undefined) {
      this.#strange += 1
      return { status: 400 }
    }
    const { plan, check, clock } = this.#options
    const isGenuine = check?.(webhook, incoming.headers, clock.now()) ?? true
    const planned = isGenuine ? plan.planNext(webhook.address) : undefined
    if (planned !== undefined && planned.delay > 0) {
      await clock.sleep(planned.delay, this.#ended.signal)
    }
    if (this.#ended.signal.aborted) return { status: 503 }
    const counter = this.#getCounter(webhook.address)
    const outcome =
      planned === undefined ? counter.countUnverified() : counter.count(webhook, planned)
    const status = planned === undefined ? 401 : planned.status
    this.#report(webhook, status, outcome)
    return toReply(status)
  }

  #getCounter(address: string): SubscriptionCounter {
    const { window = 1 } = this.#options
    const counter = this.#counters.get(address) ?? new SubscriptionCounter(address, window)
    this.#counters.set(address, counter)
    return counter
  }

  #report(webhook: ReceivedWebhook, status: number | null, outcome: WebhookOutcome): void {
    const { address, id, sequence = null, previous = null, message } = webhook
    this.#received += 1
    if (outcome === 'accepted' || outcome === 'reordered') this.#accepted += 1
    const object = { [getObjectType(webhook)]: { id: message } }
    this.#options.onWebhook({ address, id, sequence, previous, ...object, outcome, status })
    const { count } = this.#options
    if (count !== undefined && status === 200 && this.#accepted >= count) {
      this.#countReached.abort()
    }
  }
}

/** Simulated 429 and 503 ask the relay for a retry after one second (RFC 9110 section 10.2.3). */
function toReply(status: number | null): WebhookReply {
  const isBusy = status === 429 || status === 503
  return { status, ...(isBusy ? { headers: { 'retry-after': '1' } } : {}) }
}

async function waitForEnd(
  { signal, maxWait, clock }: ReceiveOptions,
  countReached: AbortSignal,
): Promise<ReceiveResult['reason']> {
  const late = new AbortController()
  const cancel = maxWait === undefined ? () => {} : clock.after(maxWait, () => late.abort())
  await runWithSignal([signal, countReached, late.signal], async any => {
    if (!any.aborted) await once(any, 'abort')
  })
  cancel()
  if (countReached.aborted) return 'count'
  return signal.aborted ? 'stopped' : 'max-wait'
}
