export interface BackoffLimits {
  readonly first: number
  readonly max: number
}

/**
 * Milliseconds to wait after failure number `failures`, from 1: the delay doubles up to a limit,
 * and `random` (0 to 1) picks a time between its half and its end, to spread many clients.
 */
export function getBackoff(failures: number, random: number, limits: BackoffLimits): number {
  const whole = Math.min(limits.first * 2 ** Math.min(failures - 1, 40), limits.max)
  return Math.round(whole / 2 + (whole / 2) * random)
}
