import type {
  Arrival,
  SubscriptionHistory,
} from '../../../tools/chaos/events/judge-subscription.js'

/** The flaw of a simulated relay. */
export type Flaw = 'none' | 'cursor first' | 'two in flight' | 'cursor late'

/** Whether a webhook was processed, whether its reply arrived, whether the relay is killed then. */
export interface WebhookChance {
  readonly processed: boolean
  readonly answered: boolean
  readonly killed: boolean
}

/** Simulates the deliveries of `count` events; webhooks after the given chances succeed. */
export function simulate(
  count: number,
  chances: readonly WebhookChance[],
  flaw: Flaw,
): SubscriptionHistory {
  const recorded = Array.from({ length: count }, (_, at) => ({
    sequence: 3 * (at + 1),
    message: `m${at}`,
  }))
  const arrivals: Arrival[] = []
  const left = [...chances]
  /** Number of delivered events, in memory and on disk. */
  let [cursor, durable] = [0, 0]
  const webhook = (at: number): WebhookChance => {
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
    const { processed, answered, killed } = webhook(cursor)
    const isDone = processed && answered
    if (flaw === 'two in flight' && !isDone && cursor + 1 < count) webhook(cursor + 1)
    if (isDone) cursor += 1
    // With this flaw only every third delivery is durable.
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
