export interface ThrottleDelay {
  readonly free: number
  /** Delay after the first failure beyond those; each further failure doubles it. */
  readonly first: number
  readonly max: number
}

export interface FailureCount {
  readonly failures: number
  readonly last: number
}

/** Milliseconds from a failure to the next attempt, by the number of failures so far. */
export function getThrottleDelay(failures: number, { free, first, max }: ThrottleDelay): number {
  return failures < free ? 0 : Math.min(max, first * 2 ** (failures - free))
}

/**
 * The failures that count at `now`: none if the last one is `memory` milliseconds ago. A clock that
 * was set back does not make the delay longer.
 */
export function getCurrentFailures(
  count: FailureCount | undefined,
  now: number,
  memory: number,
): FailureCount {
  if (count === undefined || now - count.last >= memory) return { failures: 0, last: now }
  return now < count.last ? { ...count, last: now } : count
}

/** Milliseconds from `now` until the failures allow the next attempt; 0 or less: they allow it. */
export function getThrottleWait(count: FailureCount, delay: ThrottleDelay, now: number): number {
  return count.last + getThrottleDelay(count.failures, delay) - now
}

export function addFailure({ failures }: FailureCount, now: number): FailureCount {
  return { failures: failures + 1, last: now }
}

/**
 * Removes the failure that changed `before` to `after`; null if no failures are left. Failures that
 * were counted since then stay.
 */
export function removeFailure(
  current: FailureCount | undefined,
  before: FailureCount | undefined,
  after: FailureCount,
): FailureCount | null {
  if (current === undefined || current.failures <= 1) return null
  const isLast = current.last === after.last && before !== undefined
  return { failures: current.failures - 1, last: isLast ? before.last : current.last }
}
