import { RelayError } from '../../errors.js'

/** Quiet hours on some days of the week, in local time. */
export interface WeeklySpan {
  /** Days on which the quiet hours begin, 0 for Sunday to 6. */
  readonly days: readonly number[]
  readonly from: number
  /**
   * Minute at which the quiet hours end, up to 1440; on the next day if that is not after `from`.
   */
  readonly to: number
}

export interface WallTime {
  /** 0 for Sunday to 6. */
  readonly day: number
  readonly minute: number
}

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const spanPattern = /^(?:([a-z,\s-]+)\s)?\s*(\d{1,2}):(\d\d)\s*-\s*(\d{1,2}):(\d\d)$/

/**
 * Parses quiet hours: `22:00-07:00`, `sat,sun 00:00-10:00` or `mon-fri 20:00-08:00`. Throws
 * `usage`.
 */
export function parseSpan(text: string): WeeklySpan {
  const [, days, ...digits] = spanPattern.exec(text.trim().toLowerCase()) ?? []
  const [hour = 99, minute = 99, toHour = 99, toMinute = 99] = digits.map(Number)
  const from = hour * 60 + minute
  const to = toHour * 60 + toMinute
  const isValid = minute < 60 && toMinute < 60 && from < 1440 && to <= 1440
  if (!isValid || from === to) throw invalidSpanError(text)
  return { days: days === undefined ? [0, 1, 2, 3, 4, 5, 6] : parseDays(days, text), from, to }
}

export function isInSpan({ days, from, to }: WeeklySpan, { day, minute }: WallTime): boolean {
  if (from < to) return days.includes(day) && minute >= from && minute < to
  const dayBefore = (day + 6) % 7
  return (days.includes(day) && minute >= from) || (days.includes(dayBefore) && minute < to)
}

function parseDays(days: string, text: string): number[] {
  return days.split(',').flatMap(each => {
    const [first = -1, last = first, ...more] = each
      .split('-')
      .map(name => dayNames.indexOf(name.trim()))
    if (first === -1 || last === -1 || more.length > 0) throw invalidSpanError(text)
    return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => (first + index) % 7)
  })
}

function invalidSpanError(text: string): RelayError {
  return new RelayError('usage', `--quiet must be hours such as 22:00-07:00; not "${text}".`, {
    hint:
      'Put days in front, as in "sat,sun 00:00-10:00" or "mon-fri 20:00-08:00"; ' +
      'a whole day is 00:00-24:00.',
  })
}
