import { OrderChecker, type ProcessedWebhook } from '../../../src/cli/hook/receive/order-checker.js'

/** A hit the receiver of a lane has worked on, in whatever way it answered. */
export interface LaneArrival extends ProcessedWebhook {
  /** Identifier of the message. */
  readonly message: string
}

/** An event as the service recorded it. */
export interface Recorded {
  readonly sequence: number
  readonly message: string
}

/** All that is known of what one subscription was to deliver, and of what came. */
export interface LaneHistory {
  readonly name: string
  /** Messages whose event of this kind was acknowledged to their creator. */
  readonly acknowledged: readonly string[]
  /** What the service itself recorded, in order; absent where it does not tell. */
  readonly recorded?: readonly Recorded[] | undefined
  /** In the order in which they were worked on. */
  readonly arrivals: readonly LaneArrival[]
}

/** What was found, in a sentence each. */
export interface LaneFindings {
  readonly delivered: number
  /** Arrivals beyond the first of an event. */
  readonly doubled: number
  readonly lost: readonly string[]
  readonly reordered: readonly string[]
  /** What cannot be: events of nothing, headers that say what is not so. */
  readonly strange: readonly string[]
}

/** Compares what came on a lane with what was to come. */
export function judgeLane(lane: LaneHistory): LaneFindings {
  const ledger = new OrderChecker()
  const first = new Map<string, LaneArrival>()
  const reordered: string[] = []
  const strange: string[] = []
  let newest = Number.NEGATIVE_INFINITY
  for (const arrival of lane.arrivals) {
    const { message, sequence = newest } = arrival
    const judgement = ledger.add(arrival)
    // One hit is in flight at a time: what comes again comes before anything later.
    if (sequence < newest) reordered.push(`${lane.name}: ${message} came after a later event`)
    newest = Math.max(newest, sequence)
    const earlier = first.get(message)
    if (earlier === undefined) first.set(message, arrival)
    else if (judgement !== 'doubled' || !isSame(earlier, arrival)) {
      strange.push(`${lane.name}: ${message} came again as another event`)
    }
  }
  const delivered = [...first.values()]
  return {
    delivered: delivered.length,
    doubled: ledger.doubled,
    lost: lostOf(lane, first),
    reordered,
    strange: [...strange, ...strangeOf(lane, delivered), ...contradictions(lane, ledger)],
  }
}

function isSame(one: LaneArrival, other: LaneArrival): boolean {
  return one.sequence === other.sequence && one.previous === other.previous
}

/** Acknowledged and not recorded, or either and never delivered. */
function lostOf(
  { name, acknowledged, recorded }: LaneHistory,
  first: ReadonlyMap<string, LaneArrival>,
): string[] {
  const known = new Set(recorded?.map(({ message }) => message) ?? acknowledged)
  const unknown = acknowledged.filter(message => !known.has(message))
  const missing = [...known].filter(message => !first.has(message))
  return [
    ...unknown.map(message => `${name}: ${message} was acknowledged and never recorded`),
    ...missing.map(message => `${name}: ${message} never came`),
  ]
}

function strangeOf(
  { name, acknowledged, recorded }: LaneHistory,
  delivered: readonly LaneArrival[],
): string[] {
  const known = new Set(acknowledged)
  const ghosts = delivered.filter(({ message }) => !known.has(message))
  const places = new Map(recorded?.map(({ message, sequence }) => [message, sequence]))
  const wrong = delivered.filter(({ message, sequence }) => {
    const place = places.get(message)
    return place !== undefined && sequence !== undefined && place !== sequence
  })
  const twice = (recorded?.length ?? 0) - places.size
  return [
    ...ghosts.map(({ message }) => `${name}: ${message} was never acknowledged`),
    ...wrong.map(({ message }) => `${name}: ${message} came with another sequence`),
    ...(twice > 0 ? [`${name}: ${twice} events are recorded twice`] : []),
  ]
}

/** What the headers say of gaps, beside what was found. */
function contradictions({ name }: LaneHistory, { lost, shared }: OrderChecker): string[] {
  return [
    ...(lost > 0 ? [`${name}: ${lost} events named as the one before never came`] : []),
    ...(shared ? [`${name}: an event came out of a gap that was said to be none`] : []),
  ]
}
