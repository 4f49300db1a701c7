import { findLocalTimes, formatLocalTime } from './zoned-time.js'

const hour = 60 * 60 * 1000
const day = 24 * hour

/**
 * When a day `YYYY-MM-DD` begins in a time zone, in milliseconds since the epoch: at midnight, or
 * at the first time after it if the clocks skip midnight. NaN if there is no such day or zone.
 */
export function findDayStart(date: string, zone: string): number {
  const found = findLocalTimes(`${date}T00:00`, zone)
  return found === undefined ? Number.NaN : (found.times[0] ?? found.before)
}

export function isDay(text: string): boolean {
  return /^2\d{3}-\d{2}-\d{2}$/.test(text) && findLocalTimes(`${text}T00:00`, 'UTC') !== undefined
}

export function addDays(date: string, count: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + count * day).toISOString().slice(0, 10)
}

export interface LocalSpan {
  readonly name: string
  readonly from: number
  readonly until: number
}

export function listDays(first: string, last: string, zone: string): LocalSpan[] {
  const spans: LocalSpan[] = []
  for (let name = first; name <= last; name = addDays(name, 1)) {
    const next = addDays(name, 1)
    spans.push({ name, from: findDayStart(name, zone), until: findDayStart(next, zone) })
  }
  return spans
}

/**
 * The hours of days, named `YYYY-MM-DD HH:MM` by their local begin. When clocks go back, two have
 * the same name.
 */
export function listHours(first: string, last: string, zone: string): LocalSpan[] {
  return listDays(first, last, zone).flatMap(({ from, until }) => {
    const count = Math.ceil((until - from) / hour)
    return Array.from({ length: count }, (_, at) => {
      const begin = from + at * hour
      const name = formatLocalTime(begin, zone).replace('T', ' ')
      return { name, from: begin, until: Math.min(begin + hour, until) }
    })
  })
}
