import { once } from 'node:events'
import type { ObjectFields } from '../../../contract/event-object.js'
import { withSignal } from '../../../util/async/abort.js'
import type { Pause } from '../../../util/async/clock.js'
import { type Hit, type HitAnswer, startReceiver } from '../webhook-receiver.js'
import type { FaultPlan } from './fault-plan.js'
import { type LaneHit, objectOfHit, readLaneHit } from './received-webhook.js'
import type { ArrivalCheck } from './signature-check.js'
import { type HitOutcome, type LaneCounts, LaneTally } from './subscription-counts.js'

/** A hit and what became of it. */
export interface ReceivedHit extends ObjectFields<string | null> {
  readonly lane: string
  readonly id: string
  readonly sequence: number | null
  readonly previous: number | null
  readonly outcome: HitOutcome
  /** What was answered; null when the connection was reset. */
  readonly status: number | null
}

/** Where to receive, what to do with hits, until when, and whom to tell. */
export interface ReceivingOptions {
  readonly host: string
  readonly port: number
  readonly plan: FaultPlan
  /** Refuses hits that are not signed with a known secret. @default every hit is taken */
  readonly check?: ArrivalCheck | undefined
  /** Different events to wait for; they count with a hit that was answered 200. */
  readonly count?: number | undefined
  /** Milliseconds to wait at most. */
  readonly maxWait?: number | undefined
  readonly signal: AbortSignal
  readonly pause: Pause
  readonly onReady: (url: string) => void
  readonly onHit: (hit: ReceivedHit) => void
}

/** How receiving went. */
export interface ReceivingResult {
  readonly reason: 'count' | 'max-wait' | 'stopped'
  readonly hits: number
  /** Requests that named neither an event nor its object. */
  readonly strange: number
  readonly lanes: readonly LaneCounts[]
}

/** Receives hits, misbehaves as planned, and counts what was lost, doubled and reordered. Throws `configuration`. */
export async function receiveHits(options: ReceivingOptions): Promise<ReceivingResult> {
  const reception = new Reception(options)
  const { host, port } = options
  const server = await startReceiver({ host, port, onHit: hit => reception.answer(hit) })
  try {
    options.onReady(server.url)
    const reason = await untilEnd(options, reception.full)
    return { reason, ...reception.end() }
  } finally {
    reception.end()
    await server.close()
  }
}

class Reception {
  readonly #options: ReceivingOptions
  readonly #tallies = new Map<string, LaneTally>()
  readonly #full = new AbortController()
  readonly #ended = new AbortController()
  #hits = 0
  #accepted = 0
  #strange = 0

  constructor(options: ReceivingOptions) {
    this.#options = options
  }

  /** Aborted when enough events have come. */
  get full(): AbortSignal {
    return this.#full.signal
  }

  /** Counts no further hit. */
  end(): Omit<ReceivingResult, 'reason'> {
    this.#ended.abort()
    const lanes = [...this.#tallies.values()].map(tally => tally.counts)
    return { hits: this.#hits, strange: this.#strange, lanes }
  }

  async answer(arrived: Hit): Promise<HitAnswer> {
    const hit = readLaneHit(arrived)
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
    this.#tell(hit, fate.status, fate.status === 401 ? tally.refuse() : tally.count(hit, fate))
    return answerOf(fate.status)
  }

  #tallyOf(lane: string): LaneTally {
    const tally = this.#tallies.get(lane) ?? new LaneTally(lane)
    this.#tallies.set(lane, tally)
    return tally
  }

  #tell(hit: LaneHit, status: number | null, outcome: HitOutcome): void {
    const { lane, id, sequence = null, previous = null, message } = hit
    this.#hits += 1
    if (outcome === 'accepted' || outcome === 'reordered') this.#accepted += 1
    const about = { [objectOfHit(hit)]: { id: message } }
    this.#options.onHit({ lane, id, sequence, previous, ...about, outcome, status })
    const { count } = this.#options
    if (count !== undefined && status === 200 && this.#accepted >= count) this.#full.abort()
  }
}

/** 429 and 503 ask for a second, as a receiver does that is only busy (RFC 9110 section 10.2.3). */
function answerOf(status: number | null): HitAnswer {
  const isBusy = status === 429 || status === 503
  return { status, ...(isBusy ? { headers: { 'retry-after': '1' } } : {}) }
}

async function untilEnd(
  { signal, maxWait }: ReceivingOptions,
  full: AbortSignal,
): Promise<ReceivingResult['reason']> {
  const late = new AbortController()
  const timer = maxWait === undefined ? undefined : setTimeout(() => late.abort(), maxWait)
  await withSignal([signal, full, late.signal], async any => {
    if (!any.aborted) await once(any, 'abort')
  })
  clearTimeout(timer)
  if (full.aborted) return 'count'
  return signal.aborted ? 'stopped' : 'max-wait'
}
