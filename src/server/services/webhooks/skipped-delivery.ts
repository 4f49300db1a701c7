import type { Delivery } from '../../../domain/webhook/delivery.js'
import type { RelayEvent } from '../../../domain/webhook/event.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'

/** The entry in the delivery log of an event that a person skipped. */
export function toSkippedDelivery(
  { id: subscription }: Subscription,
  { seq, event, message }: RelayEvent,
  skip: Pick<Delivery, 'id' | 'at' | 'attempt'>,
): Delivery {
  const result = { ms: 0, ok: false, dead: true, resend: false, error: 'Skipped by request.' }
  return { ...skip, subscription, seq, event, message, ...result }
}
