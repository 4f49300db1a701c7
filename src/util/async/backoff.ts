/** The first and the longest wait of a {@link backoff}, in milliseconds. */
export interface BackoffLimits {
  readonly first: number
  readonly max: number
}

/**
 * Milliseconds to wait after failure number `failures` (from 1): doubled each time up to a limit, and between half
 * and all of that, so that many clients do not come back together. `random` is 0 to 1.
 */
export function getBackoff(failures: number, random: number, limits: BackoffLimits): number {
  const whole = Math.min(limits.first * 2 ** Math.min(failures - 1, 40), limits.max)
  return Math.round(whole / 2 + (whole / 2) * random)
}
