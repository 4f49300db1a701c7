import type { PlannedReply } from './fault-plan.js'
import { OrderChecker, type ProcessedWebhook } from './order-checker.js'

/** What `hook receive` did with a webhook. `refused` got an error status, `unverified` 401. */
export type WebhookOutcome =
  | 'accepted'
  | 'doubled'
  | 'reordered'
  | 'refused'
  | 'reset'
  | 'unverified'

export interface WebhookCounts {
  /** Different events that `hook receive` processed. */
  readonly accepted: number
  readonly refused: number
  readonly reset: number
  /** Webhooks that `hook receive` got after the first of an event. */
  readonly doubled: number
  /** Webhooks of events after a later one that `hook receive` got; null if none has a sequence. */
  readonly reordered: number | null
  /** Minimum of events that no webhook to `hook receive` delivered; null if none has a sequence. */
  readonly lost: number | null
  readonly unverified: number
}

export interface SubscriptionCounts extends WebhookCounts {
  readonly address: string
  readonly unjudged: number
  /**
   * Several subscriptions seem to send webhooks to the address, so `lost` and `reordered` are
   * useless.
   */
  readonly shared: boolean
}

export class SubscriptionCounter {
  readonly #address: string
  readonly #order: OrderChecker
  #refused = 0
  #reset = 0
  #unverified = 0

  constructor(address: string, window: number) {
    this.#address = address
    this.#order = new OrderChecker(window)
  }

  countUnverified(): WebhookOutcome {
    this.#unverified += 1
    return 'unverified'
  }

  count(
    webhook: ProcessedWebhook,
    { isProcessed, status }: Pick<PlannedReply, 'isProcessed' | 'status'>,
  ): WebhookOutcome {
    if (status === null) this.#reset += 1
    if (isProcessed) return this.#order.add(webhook)
    if (status !== null) this.#refused += 1
    return status === null ? 'reset' : 'refused'
  }

  get counts(): SubscriptionCounts {
    const { accepted, doubled, reordered, lost, unjudged, shared } = this.#order
    const hasOrder = accepted === 0 || unjudged < accepted
    return {
      address: this.#address,
      accepted,
      refused: this.#refused,
      reset: this.#reset,
      doubled,
      reordered: hasOrder ? reordered : null,
      lost: hasOrder ? lost : null,
      unverified: this.#unverified,
      unjudged,
      shared,
    }
  }
}

/** Adds the webhook counts of all subscriptions; `reordered` and `lost` are null if null in all. */
export function sumCounts(counts: readonly SubscriptionCounts[]): WebhookCounts {
  const sum = (get: (each: SubscriptionCounts) => number): number =>
    counts.reduce((total, each) => total + get(each), 0)
  const hasOrder = counts.length === 0 || counts.some(({ lost }) => lost !== null)
  return {
    accepted: sum(each => each.accepted),
    refused: sum(each => each.refused),
    reset: sum(each => each.reset),
    doubled: sum(each => each.doubled),
    reordered: hasOrder ? sum(each => each.reordered ?? 0) : null,
    lost: hasOrder ? sum(each => each.lost ?? 0) : null,
    unverified: sum(each => each.unverified),
  }
}
