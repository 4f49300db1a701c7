/** The messages of an account that wait to be sent. Due and leased are exact to the second. */
export interface QueueDepth {
  /** New and error messages in the account's queue: due, leased, or scheduled. */
  readonly waiting: number
  readonly due: number
  readonly leased: number
  readonly oldestDueAt?: number
}

export function addDepths(depths: readonly QueueDepth[]): QueueDepth {
  const sum = (count: (depth: QueueDepth) => number): number =>
    depths.reduce((total, depth) => total + count(depth), 0)
  const dueTimes = depths.flatMap(({ oldestDueAt }) => oldestDueAt ?? [])
  return {
    waiting: sum(({ waiting }) => waiting),
    due: sum(({ due }) => due),
    leased: sum(({ leased }) => leased),
    ...(dueTimes.length === 0 ? {} : { oldestDueAt: Math.min(...dueTimes) }),
  }
}
