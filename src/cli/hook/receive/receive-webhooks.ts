import { once } from 'node:events'
import type { EventObjectFields } from '../../../contract/event-schema.js'
import { runWithSignal } from '../../../util/async/abort.js'
import type { Pause } from '../../../util/async/clock.js'
import {
  type IncomingWebhook,
  startWebhookReceiver,
  type WebhookReply,
} from '../webhook-receiver.js'
import type { FaultPlan } from './fault-plan.js'
import { getEventObject, parseReceivedWebhook, type ReceivedWebhook } from './received-webhook.js'
import type { SignatureCheck } from './signature-check.js'
import {
  SubscriptionCounter,
  type SubscriptionCounts,
  type WebhookOutcome,
} from './subscription-counts.js'

/** A hit and what became of it. */
export interface AnsweredWebhook extends EventObjectFields<string | null> {
  readonly lane: string
  readonly id: string
  readonly sequence: number | null
  readonly previous: number | null
  readonly outcome: WebhookOutcome
  /** What was answered; null when the connection was reset. */
  readonly status: number | null
}

/** Where to receive, what to do with hits, until when, and whom to tell. */
export interface ReceiveOptions {
  readonly host: string
  readonly port: number
  readonly plan: FaultPlan
  /** Refuses hits that are not signed with a known secret. @default every hit is taken */
  readonly check?: SignatureCheck | undefined
  /** Different events to wait for; they count with a hit that was answered 200. */
  readonly count?: number | undefined
  /** Milliseconds to wait at most. */
  readonly maxWait?: number | undefined
  readonly signal: AbortSignal
  readonly pause: Pause
  readonly onReady: (url: string) => void
  readonly onWebhook: (hit: AnsweredWebhook) => void
}

/** How receiving went. */
export interface ReceiveResult {
  readonly reason: 'count' | 'max-wait' | 'stopped'
  readonly hits: number
  /** Requests that named neither an event nor its object. */
  readonly strange: number
  readonly lanes: readonly SubscriptionCounts[]
}

/** Receives hits, misbehaves as planned, and counts what was lost, doubled and reordered. Throws `configuration`. */
export async function receiveWebhooks(options: ReceiveOptions): Promise<ReceiveResult> {
  const reception = new FaultyReceiver(options)
  const { host, port } = options
  const server = await startWebhookReceiver({ host, port, onWebhook: hit => reception.answer(hit) })
  try {
    options.onReady(server.url)
    const reason = await waitForEnd(options, reception.full)
    return { reason, ...reception.end() }
  } finally {
    reception.end()
    await server.close()
  }
}

class FaultyReceiver {
  readonly #options: ReceiveOptions
  readonly #tallies = new Map<string, SubscriptionCounter>()
  readonly #full = new AbortController()
  readonly #ended = new AbortController()
  #hits = 0
  #accepted = 0
  #strange = 0

  constructor(options: ReceiveOptions) {
    this.#options = options
  }

  /** Aborted when enough events have come. */
  get full(): AbortSignal {
    return this.#full.signal
  }

  /** Counts no further hit. */
  end(): Omit<ReceiveResult, 'reason'> {
    this.#ended.abort()
    const lanes = [...this.#tallies.values()].map(tally => tally.counts)
    return { hits: this.#hits, strange: this.#strange, lanes }
  }

  async answer(arrived: IncomingWebhook): Promise<WebhookReply> {
    const hit = parseReceivedWebhook(arrived)
    if (hit === undefined) {
      this.#strange += 1
      return { status: 400 }
    }
    const { plan, pause } = this.#options
    const isGenuine = this.#options.check?.(hit, arrived.headers, Date.now()) ?? true
    const fate = isGenuine
      ? plan.next(hit.lane)
      : ({ worked: false, status: 401, delay: 0 } as const)
    if (fate.delay > 0) await pause(fate.delay, this.#ended.signal)
    if (this.#ended.signal.aborted) return { status: 503 }
    const tally = this.#tallyOf(hit.lane)
    this.#tell(
      hit,
      fate.status,
      fate.status === 401 ? tally.countUnverified() : tally.count(hit, fate),
    )
    return toReply(fate.status)
  }

  #tallyOf(lane: string): SubscriptionCounter {
    const tally = this.#tallies.get(lane) ?? new SubscriptionCounter(lane)
    this.#tallies.set(lane, tally)
    return tally
  }

  #tell(hit: ReceivedWebhook, status: number | null, outcome: WebhookOutcome): void {
    const { lane, id, sequence = null, previous = null, message } = hit
    this.#hits += 1
    if (outcome === 'accepted' || outcome === 'reordered') this.#accepted += 1
    const about = { [getEventObject(hit)]: { id: message } }
    this.#options.onWebhook({ lane, id, sequence, previous, ...about, outcome, status })
    const { count } = this.#options
    if (count !== undefined && status === 200 && this.#accepted >= count) this.#full.abort()
  }
}

/** 429 and 503 ask for a second, as a receiver does that is only busy (RFC 9110 section 10.2.3). */
function toReply(status: number | null): WebhookReply {
  const isBusy = status === 429 || status === 503
  return { status, ...(isBusy ? { headers: { 'retry-after': '1' } } : {}) }
}

async function waitForEnd(
  { signal, maxWait }: ReceiveOptions,
  full: AbortSignal,
): Promise<ReceiveResult['reason']> {
  const late = new AbortController()
  const timer = maxWait === undefined ? undefined : setTimeout(() => late.abort(), maxWait)
  await runWithSignal([signal, full, late.signal], async any => {
    if (!any.aborted) await once(any, 'abort')
  })
  clearTimeout(timer)
  if (full.aborted) return 'count'
  return signal.aborted ? 'stopped' : 'max-wait'
}
