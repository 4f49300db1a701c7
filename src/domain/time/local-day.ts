import { findLocalTimes } from './zoned-time.js'

const day = 24 * 60 * 60 * 1000

/**
 * When a day `YYYY-MM-DD` begins in a time zone, in milliseconds since the epoch: at midnight, or
 * at the first time after it if the clocks skip midnight. NaN if there is no such day or zone.
 */
export function findDayStart(date: string, zone: string): number {
  const found = findLocalTimes(`${date}T00:00`, zone)
  return found === undefined ? Number.NaN : (found.times[0] ?? found.before)
}

/** The day `YYYY-MM-DD` that is so many days after another one. */
export function addDays(date: string, count: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + count * day).toISOString().slice(0, 10)
}
