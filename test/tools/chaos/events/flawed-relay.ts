import type {
  ProcessedEvent,
  SubscriptionHistory,
} from '../../../../tools/chaos/events/check-subscription.js'

/** What a simulated relay does wrong. */
export type Flaw = 'none' | 'cursor first' | 'two in flight' | 'cursor late'

/** One delivery: did the receiver process it, did the relay get the reply, was the relay killed? */
export interface DeliveryChance {
  readonly processed: boolean
  readonly answered: boolean
  readonly killed: boolean
}

/**
 * Simulates the delivery of `count` events by a relay with a flaw. After the last chance, every
 * delivery succeeds.
 */
export function simulateDeliveries(
  count: number,
  chances: readonly DeliveryChance[],
  flaw: Flaw,
): SubscriptionHistory {
  const recorded = Array.from({ length: count }, (_, at) => ({
    sequence: 3 * (at + 1),
    message: `m${at}`,
  }))
  const arrivals: ProcessedEvent[] = []
  const left = [...chances]
  /** The relay has delivered the events before `cursor`; a kill resets it to `durable`. */
  let [cursor, durable] = [0, 0]
  const deliver = (at: number): DeliveryChance => {
    const chance = left.shift() ?? { processed: true, answered: true, killed: false }
    const event = recorded[at]
    if (chance.processed && event !== undefined) {
      const previous = recorded[at - 1]?.sequence ?? 0
      arrivals.push({ id: `evt_${event.sequence}_${event.message}`, previous, ...event })
    }
    return chance
  }
  while (cursor < count) {
    if (flaw === 'cursor first') durable = cursor + 1
    const { processed, answered, killed } = deliver(cursor)
    const isDone = processed && answered
    if (flaw === 'two in flight' && !isDone && cursor + 1 < count) deliver(cursor + 1)
    if (isDone) cursor += 1
    // With this flaw, only every third cursor becomes durable.
    if (flaw !== 'cursor late' || cursor % 3 === 0) durable = Math.max(durable, cursor)
    if (killed) cursor = durable
  }
  return {
    name: 'subscription',
    acknowledged: recorded.map(({ message }) => message),
    recorded,
    arrivals,
  }
}
