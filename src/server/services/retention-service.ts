import {
  deliveryRetention,
  eventRetention,
  maxRetainedEvents,
} from '../../domain/message/message-retention.js'
import { deliveryTimeLimit } from '../../domain/webhook/subscription.js'
import { isRelayError } from '../../errors.js'
import type { ServiceContext } from './service-context.js'

/** Removes what is kept no longer: delivered events, the log of deliveries, messages that are final or deleted, and received texts (README: retention). */
export class RetentionService {
  readonly #context: ServiceContext
  readonly #retain: number
  #stopped = false

  /** @param retain milliseconds that messages are kept after they became final or deleted; infinite for ever */
  constructor(context: ServiceContext, retain: number) {
    this.#context = context
    this.#retain = retain
  }

  /** Removes what is old by now; what cannot be removed, because the disk is full, is there for the next time. */
  async sweep(): Promise<void> {
    const {
      messages,
      receivedTexts: received,
      events,
      deliveryLog: deliveries,
    } = this.#context.store
    const now = this.#context.now()
    const before = now - this.#retain
    try {
      await this.#run(events.purge(Math.max(before, now - eventRetention), maxRetainedEvents))
      if (Number.isFinite(before)) {
        await this.#run(messages.purge({ before, always: before - deliveryTimeLimit }))
        await this.#run(received.purge(before))
      }
    } catch (error) {
      if (!isRelayError(error, 'unavailable')) throw error
    }
    if (!this.#stopped) await deliveries.purge(now - deliveryRetention)
  }

  /** Ends a sweep after the slice in hand. */
  stop(): void {
    this.#stopped = true
  }

  async #run(slices: AsyncGenerator<number>): Promise<void> {
    for await (const _ of slices) if (this.#stopped) return
  }
}
