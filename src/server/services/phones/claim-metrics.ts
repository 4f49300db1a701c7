import type { DeliveryMode } from '../../../domain/account/account.js'
import { getDueTime, type Message } from '../../../domain/message/message.js'
import type { Histogram } from '../../../util/collections/histogram.js'
import type { Metrics } from '../../../util/collections/metrics.js'
import type { DecideClaim } from '../../store/message-store.js'

export interface ObservedClaim {
  readonly decide: DecideClaim
  count(): void
}

interface ClaimTime {
  readonly now: number
  readonly mode: DeliveryMode
}

export class ClaimMetrics {
  readonly #metrics: Metrics
  readonly #delay: Histogram

  constructor(metrics: Metrics) {
    this.#metrics = metrics
    this.#delay = metrics.histogram('dispatch_delay_seconds')
  }

  countExpired(mode: DeliveryMode, by: number): void {
    this.#metrics.increment(`leases_expired_total{mode="${mode}"}`, by)
  }

  /** Observes the decisions of a claim; the store may ask for one again, so the last one counts. */
  observe(decide: DecideClaim, { now, mode }: ClaimTime): ObservedClaim {
    const seen = new Map<string, { readonly before: Message; readonly given: boolean }>()
    return {
      decide: (message, facts, claim) => {
        const decision = decide(message, facts, claim)
        const hasChanged = decision.message !== undefined
        if (hasChanged) seen.set(message.id, { before: message, given: decision.given })
        return decision
      },
      count: () => {
        for (const { before, given } of seen.values()) {
          const isNew = before.lease === undefined
          if (isNew && given) this.#delay.observe(Math.max(now - getDueTime(before), 0) / 1000)
          if (!isNew && (before.lease?.until ?? now) <= now) this.countExpired(mode, 1)
        }
      },
    }
  }
}
