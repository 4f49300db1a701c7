import { auditRetention } from '../../domain/audit/audit-entry.js'
import {
  deliveryRetention,
  eventRetention,
  maxRetainedEvents,
} from '../../domain/message/message-retention.js'
import { deliveryTimeLimit } from '../../domain/webhook/subscription.js'
import { isRelayError } from '../../errors.js'
import type { ServiceContext } from './service-context.js'

/**
 * Deletes records past their retention: delivered events, logged deliveries, final and deleted
 * messages, received texts, the audit log.
 */
export class RetentionService {
  readonly #context: ServiceContext
  readonly #retain: number
  readonly #deliveryLogAge: number
  readonly #retainAudit: number
  #stopped = false

  constructor(
    context: ServiceContext,
    retain: number,
    deliveryLogAge = deliveryRetention,
    retainAudit = auditRetention,
  ) {
    this.#context = context
    this.#retain = retain
    this.#deliveryLogAge = deliveryLogAge
    this.#retainAudit = retainAudit
  }

  /**
   * Deletes the store's expired records once; if the store is unavailable, the service's next call
   * tries again.
   */
  async sweep(): Promise<void> {
    const { messages, receivedTexts, events, deliveryLog, auditLog } = this.#context.store
    const now = this.#context.clock.now()
    const before = now - this.#retain
    try {
      await this.#run(events.purge(Math.max(before, now - eventRetention), maxRetainedEvents))
      if (Number.isFinite(before)) {
        await this.#run(messages.purge({ before, always: before - deliveryTimeLimit }))
        await this.#run(receivedTexts.purge(before))
      }
      await this.#run(auditLog.purge(now - this.#retainAudit))
    } catch (error) {
      if (!isRelayError(error, 'unavailable')) throw error
    }
    if (!this.#stopped) await deliveryLog.purge(now - this.#deliveryLogAge)
  }

  /** Ends a deletion of expired records after the present batch. */
  stop(): void {
    this.#stopped = true
  }

  async #run(batches: AsyncGenerator<number>): Promise<void> {
    for await (const _ of batches) if (this.#stopped) return
  }
}
