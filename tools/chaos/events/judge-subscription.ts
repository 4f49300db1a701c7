import { OrderChecker, type ProcessedWebhook } from '../../../src/cli/hook/receive/order-checker.js'

/** A webhook that a receiver has processed, whatever its reply was. */
export interface Arrival extends ProcessedWebhook {
  /** Identifier of the message. */
  readonly message: string
}

/** An event as the relay recorded it. */
export interface Recorded {
  readonly sequence: number
  readonly message: string
}

/** The expected and the actual deliveries of one subscription. */
export interface SubscriptionHistory {
  readonly name: string
  /** Messages whose event was acknowledged to their creator. */
  readonly acknowledged: readonly string[]
  /** Events recorded by the relay, in order; absent if it does not list them. */
  readonly recorded?: readonly Recorded[] | undefined
  /** In the order in which they were processed. */
  readonly arrivals: readonly Arrival[]
}

/** Findings, one sentence each. */
export interface SubscriptionFindings {
  readonly delivered: number
  /** Arrivals beyond the first of an event. */
  readonly doubled: number
  readonly lost: readonly string[]
  readonly reordered: readonly string[]
  /** Impossible findings: unknown events, wrong headers. */
  readonly strange: readonly string[]
}

/** Compares the actual deliveries with the expected ones. */
export function judgeSubscription(history: SubscriptionHistory): SubscriptionFindings {
  const checker = new OrderChecker()
  const first = new Map<string, Arrival>()
  const reordered: string[] = []
  const strange: string[] = []
  let newest = Number.NEGATIVE_INFINITY
  for (const arrival of history.arrivals) {
    const { message, sequence = newest } = arrival
    const judgement = checker.add(arrival)
    // One webhook is sent at a time, so a repeated one arrives before any later event.
    if (sequence < newest) reordered.push(`${history.name}: ${message} came after a later event`)
    newest = Math.max(newest, sequence)
    const earlier = first.get(message)
    if (earlier === undefined) first.set(message, arrival)
    else if (judgement !== 'doubled' || !isSame(earlier, arrival)) {
      strange.push(`${history.name}: ${message} came again as another event`)
    }
  }
  const delivered = [...first.values()]
  return {
    delivered: delivered.length,
    doubled: checker.doubled,
    lost: listLost(history, first),
    reordered,
    strange: [
      ...strange,
      ...listStrange(history, delivered),
      ...listContradictions(history, checker),
    ],
  }
}

function isSame(one: Arrival, other: Arrival): boolean {
  return one.sequence === other.sequence && one.previous === other.previous
}

/** Events acknowledged but not recorded, or one of these and never delivered. */
function listLost(
  { name, acknowledged, recorded }: SubscriptionHistory,
  first: ReadonlyMap<string, Arrival>,
): string[] {
  const known = new Set(recorded?.map(({ message }) => message) ?? acknowledged)
  const unknown = acknowledged.filter(message => !known.has(message))
  const missing = [...known].filter(message => !first.has(message))
  return [
    ...unknown.map(message => `${name}: ${message} was acknowledged and never recorded`),
    ...missing.map(message => `${name}: ${message} never came`),
  ]
}

function listStrange(
  { name, acknowledged, recorded }: SubscriptionHistory,
  delivered: readonly Arrival[],
): string[] {
  const known = new Set(acknowledged)
  const unexpected = delivered.filter(({ message }) => !known.has(message))
  const places = new Map(recorded?.map(({ message, sequence }) => [message, sequence]))
  const wrong = delivered.filter(({ message, sequence }) => {
    const place = places.get(message)
    return place !== undefined && sequence !== undefined && place !== sequence
  })
  const twice = (recorded?.length ?? 0) - places.size
  return [
    ...unexpected.map(({ message }) => `${name}: ${message} was never acknowledged`),
    ...wrong.map(({ message }) => `${name}: ${message} came with another sequence`),
    ...(twice > 0 ? [`${name}: ${twice} events are recorded twice`] : []),
  ]
}

/** Contradictions between the headers and the deliveries. */
function listContradictions(
  { name }: SubscriptionHistory,
  { lost, shared }: OrderChecker,
): string[] {
  return [
    ...(lost > 0 ? [`${name}: ${lost} events named as the previous one never came`] : []),
    ...(shared ? [`${name}: two events named the same previous event`] : []),
  ]
}
