import type { LaneArrival, LaneHistory } from '../../../tools/chaos/events/judge.js'

/** How an invented service gets its lane wrong. */
export type Flaw = 'none' | 'cursor first' | 'two in flight' | 'cursor late'

/** What happens to a hit: whether the receiver worked on it, whether the service learns of that, whether it is killed. */
export interface HitChance {
  readonly worked: boolean
  readonly answered: boolean
  readonly killed: boolean
}

/** What an invented service with a flaw delivers of `count` events; after the chances are used up all goes well. */
export function invent(count: number, chances: readonly HitChance[], flaw: Flaw): LaneHistory {
  const recorded = Array.from({ length: count }, (_, at) => ({
    sequence: 3 * (at + 1),
    message: `m${at}`,
  }))
  const arrivals: LaneArrival[] = []
  const left = [...chances]
  /** Events before this were delivered; what a kill brings it back to. */
  let [cursor, durable] = [0, 0]
  const hit = (at: number): HitChance => {
    const chance = left.shift() ?? { worked: true, answered: true, killed: false }
    const event = recorded[at]
    if (chance.worked && event !== undefined) {
      const previous = recorded[at - 1]?.sequence ?? 0
      arrivals.push({ id: `evt_${event.sequence}_${event.message}`, previous, ...event })
    }
    return chance
  }
  while (cursor < count) {
    if (flaw === 'cursor first') durable = cursor + 1
    const { worked, answered, killed } = hit(cursor)
    const isDone = worked && answered
    if (flaw === 'two in flight' && !isDone && cursor + 1 < count) hit(cursor + 1)
    if (isDone) cursor += 1
    // The flaw makes what is done durable only every third time.
    if (flaw !== 'cursor late' || cursor % 3 === 0) durable = Math.max(durable, cursor)
    if (killed) cursor = durable
  }
  return { name: 'lane', acknowledged: recorded.map(({ message }) => message), recorded, arrivals }
}
