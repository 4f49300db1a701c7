import type { PlannedReply } from './fault-plan.js'
import { OrderChecker, type ProcessedWebhook } from './order-checker.js'

/** What happened to a hit. */
export type WebhookOutcome =
  | 'accepted'
  | 'doubled'
  | 'reordered'
  | 'refused'
  | 'reset'
  | 'unverified'

/** What is counted of a lane, and of all of them. */
export interface WebhookCounts {
  /** Different events the receiver worked on. */
  readonly accepted: number
  /** Hits answered with an error. */
  readonly refused: number
  /** Connections reset, before and after the work. */
  readonly reset: number
  /** Hits beyond the first of an event. */
  readonly doubled: number
  /** Events that came after a later one; null when no hit says an order. */
  readonly reordered: number | null
  /** Events that never came, at least; null when no hit says an order. */
  readonly lost: number | null
  /** Hits with no valid signature, which were refused. */
  readonly unverified: number
}

/** {@link HitCounts} of one lane. */
export interface SubscriptionCounts extends WebhookCounts {
  readonly lane: string
  /** Events whose hits say no order. */
  readonly unjudged: number
  /** Whether several subscriptions seem to use the address, so that lost and reordered mean nothing. */
  readonly shared: boolean
}

/** Counts the hits of one lane. */
export class SubscriptionCounter {
  readonly #lane: string
  readonly #ledger = new OrderChecker()
  #refused = 0
  #reset = 0
  #unverified = 0

  constructor(lane: string) {
    this.#lane = lane
  }

  /** Counts a hit whose signature is missing or wrong. */
  countUnverified(): WebhookOutcome {
    this.#unverified += 1
    return 'unverified'
  }

  /** Counts a hit by its fate. */
  count(
    hit: ProcessedWebhook,
    { worked, status }: Pick<PlannedReply, 'worked' | 'status'>,
  ): WebhookOutcome {
    if (status === null) this.#reset += 1
    if (worked) return this.#ledger.add(hit)
    if (status !== null) this.#refused += 1
    return status === null ? 'reset' : 'refused'
  }

  get counts(): SubscriptionCounts {
    const { accepted, doubled, reordered, lost, unjudged, shared } = this.#ledger
    const known = accepted === 0 || unjudged < accepted
    return {
      ...{ lane: this.#lane, accepted, refused: this.#refused, reset: this.#reset, doubled },
      ...{ reordered: known ? reordered : null, lost: known ? lost : null },
      ...{ unverified: this.#unverified, unjudged, shared },
    }
  }
}

/** The sum of lanes; what no lane could judge stays null. */
export function sumCounts(lanes: readonly SubscriptionCounts[]): WebhookCounts {
  const sum = (of: (lane: SubscriptionCounts) => number): number =>
    lanes.reduce((all, lane) => all + of(lane), 0)
  const judged = lanes.length === 0 || lanes.some(({ lost }) => lost !== null)
  return {
    accepted: sum(lane => lane.accepted),
    refused: sum(lane => lane.refused),
    reset: sum(lane => lane.reset),
    doubled: sum(lane => lane.doubled),
    reordered: judged ? sum(lane => lane.reordered ?? 0) : null,
    lost: judged ? sum(lane => lane.lost ?? 0) : null,
    unverified: sum(lane => lane.unverified),
  }
}
