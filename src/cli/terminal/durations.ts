import { parseDateTime } from '../../domain/time/date-time.js'

export function getAge(then: string, now: string): number {
  return Math.max((parseDateTime(now) ?? 0) - (parseDateTime(then) ?? 0), 0)
}

/**
 * Milliseconds as a duration for the terminal, in one unit, rounded down: `12 s`, `3 min`, `5 h`,
 * `2 days`.
 */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`
  return `${Math.floor(seconds / 86_400)} days`
}
