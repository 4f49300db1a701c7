import { OrderChecker, type ProcessedWebhook } from './order-checker.js'

/** A webhook that the receiver has processed, whatever its reply was. */
export interface ProcessedEvent extends ProcessedWebhook {
  readonly message: string
}

export interface RecordedEvent {
  readonly sequence: number
  readonly message: string
}

/** What one subscription had to deliver, and what arrived. */
export interface SubscriptionHistory {
  readonly name: string
  /** Messages whose event was acknowledged to the client. */
  readonly acknowledged: readonly string[]
  /** The events that the relay recorded, in order; missed if it does not list them. */
  readonly recorded?: readonly RecordedEvent[] | undefined
  /** In the order of processing. */
  readonly arrivals: readonly ProcessedEvent[]
}

/** The findings; each text describes one. */
export interface SubscriptionFindings {
  readonly delivered: number
  /** Arrivals beyond the first of each event. */
  readonly doubled: number
  readonly lost: readonly string[]
  readonly reordered: readonly string[]
  /** Events without a cause, and webhook headers that contradict the record. */
  readonly unexplained: readonly string[]
}

/** Compares the webhooks of a subscription with its events. */
export function checkSubscription(history: SubscriptionHistory): SubscriptionFindings {
  const checker = new OrderChecker()
  const first = new Map<string, ProcessedEvent>()
  const reordered: string[] = []
  const unexplained: string[] = []
  let newest = Number.NEGATIVE_INFINITY
  for (const arrival of history.arrivals) {
    const { message, sequence = newest } = arrival
    const order = checker.add(arrival)
    // One webhook is in progress at a time, so a repeated one comes before any later event.
    if (sequence < newest) reordered.push(`${history.name}: ${message} arrived after a later event`)
    newest = Math.max(newest, sequence)
    const earlier = first.get(message)
    if (earlier === undefined) first.set(message, arrival)
    else if (order !== 'doubled' || !isSameEvent(earlier, arrival)) {
      unexplained.push(`${history.name}: ${message} arrived again as another event`)
    }
  }
  const delivered = [...first.values()]
  return {
    delivered: delivered.length,
    doubled: checker.doubled,
    lost: findLostEvents(history, first),
    reordered,
    unexplained: [
      ...unexplained,
      ...findUnexplainedEvents(history, delivered),
      ...findContradictions(history, checker),
    ],
  }
}

function isSameEvent(one: ProcessedEvent, other: ProcessedEvent): boolean {
  return one.sequence === other.sequence && one.previous === other.previous
}

/** Events that were acknowledged and not recorded, or that never arrived. */
function findLostEvents(
  { name, acknowledged, recorded }: SubscriptionHistory,
  first: ReadonlyMap<string, ProcessedEvent>,
): string[] {
  const known = new Set(recorded?.map(({ message }) => message) ?? acknowledged)
  const unknown = acknowledged.filter(message => !known.has(message))
  const missing = [...known].filter(message => !first.has(message))
  return [
    ...unknown.map(message => `${name}: ${message} was acknowledged and never recorded`),
    ...missing.map(message => `${name}: ${message} never arrived`),
  ]
}

function findUnexplainedEvents(
  { name, acknowledged, recorded }: SubscriptionHistory,
  delivered: readonly ProcessedEvent[],
): string[] {
  const known = new Set(acknowledged)
  const unknown = delivered.filter(({ message }) => !known.has(message))
  const places = new Map(recorded?.map(({ message, sequence }) => [message, sequence]))
  const wrong = delivered.filter(({ message, sequence }) => {
    const place = places.get(message)
    return place !== undefined && sequence !== undefined && place !== sequence
  })
  const twice = (recorded?.length ?? 0) - places.size
  return [
    ...unknown.map(({ message }) => `${name}: ${message} was never acknowledged`),
    ...wrong.map(({ message }) => `${name}: ${message} arrived with another sequence`),
    ...(twice > 0 ? [`${name}: ${twice} events are recorded twice`] : []),
  ]
}

/** Headers about gaps that contradict the arrivals. */
function findContradictions(
  { name }: SubscriptionHistory,
  { lost, shared }: OrderChecker,
): string[] {
  return [
    ...(lost > 0 ? [`${name}: ${lost} events named as the one before never arrived`] : []),
    ...(shared ? [`${name}: an event arrived that webhook-previous had excluded`] : []),
  ]
}
