/** Something that happened to a message, between two times of one clock. */
export interface Span {
  readonly id: string
  readonly from: number
  readonly to: number
}

/** The position of each identifier's first arrival. */
export function findFirstArrivals(arrivals: readonly string[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const [place, id] of arrivals.entries()) if (!places.has(id)) places.set(id, place)
  return places
}

/**
 * Identifiers that arrived before one that precedes them in the chain. Missing ones do not count.
 */
export function findOutOfOrder(
  chain: readonly string[],
  places: ReadonlyMap<string, number>,
): string[] {
  let last = -1
  return chain.filter(id => {
    const place = places.get(id)
    if (place === undefined) return false
    const wrong = place < last
    last = Math.max(last, place)
    return wrong
  })
}

/** Identifiers that arrived before one whose span ended before theirs began. */
export function findOutOfTime(
  spans: readonly Span[],
  places: ReadonlyMap<string, number>,
): string[] {
  const ended = [...spans].sort((a, b) => a.to - b.to)
  const begun = [...spans].sort((a, b) => a.from - b.from)
  let last = -1
  let next = 0
  return begun
    .filter(({ id, from }) => {
      for (let before = ended[next]; before !== undefined && before.to < from; ) {
        last = Math.max(last, places.get(before.id) ?? -1)
        next += 1
        before = ended[next]
      }
      const place = places.get(id)
      return place !== undefined && place < last
    })
    .map(({ id }) => id)
}
