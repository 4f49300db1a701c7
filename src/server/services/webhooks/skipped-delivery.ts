import type { RelayEvent } from '../../../domain/webhook/event.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import type { ServiceContext } from '../service-context.js'

export interface SkippedEvent {
  readonly event: RelayEvent
  readonly attempt: number
}

export function logSkip(
  { store, newId, clock }: Pick<ServiceContext, 'store' | 'newId' | 'clock'>,
  { id: subscription }: Pick<Subscription, 'id'>,
  { event: { seq, event, message }, attempt }: SkippedEvent,
): void {
  const result = { ms: 0, ok: false, dead: true, resend: false, error: 'Skipped by request.' }
  const skip = { id: newId(), at: clock.now(), attempt }
  store.deliveryLog.record({ ...skip, subscription, seq, event, message, ...result })
}
