// Quiet hours: local times of the week in which a phone sends nothing.
//
// 1. `createQuietHours` parses the spans of --quiet (weekly-span.ts) in a time zone.
// 2. quiet-hours-gate.ts makes the phone wait for their end, and limits the wait of a NEXT to the
//    time before they begin.
// 3. The presence report includes their end (../relay/presence.ts).

import { RelayError } from '../../errors.js'
import { isInSpan, parseSpan, type WallTime, type WeeklySpan } from './weekly-span.js'

/** Quiet hours, in which the phone sends no text. Times are milliseconds since the epoch. */
export interface QuietHours {
  getEnd(at: number): number | undefined
  /** The first start of quiet hours within so many milliseconds after this time. */
  findStart(at: number, milliseconds: number): number | undefined
}

const minute = 60_000
const week = 7 * 24 * 60
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/**
 * Parses quiet hours in a time zone of the tz database (@default the system's); undefined without
 * spans. Local time counts: an hour that occurs twice is quiet twice. Throws `usage`.
 */
export function createQuietHours(
  spans: readonly string[],
  timeZone?: string,
): QuietHours | undefined {
  const parsed = spans.map(parseSpan)
  const wall = createWallClock(timeZone)
  if (parsed.length === 0) {
    if (timeZone === undefined) return undefined
    throw new RelayError('usage', '--time-zone needs --quiet hours, such as --quiet 22:00-07:00.')
  }
  if (coversWholeWeek(parsed))
    throw new RelayError('usage', 'These --quiet hours leave no time to send.')
  const isQuiet = (at: number) => isInAnySpan(parsed, wall(at))
  // Finding the end of quiet hours means checking each minute before it, so the last result is
  // cached.
  let cached = { from: 0, until: 0 }
  return {
    getEnd: at => {
      if (at >= cached.from && at < cached.until) return cached.until
      if (!isQuiet(at)) return undefined
      cached = { from: at, until: findEnd(at, isQuiet) }
      return cached.until
    },
    findStart: (at, milliseconds) => {
      for (let next = getNextMinute(at); next <= at + milliseconds; next += minute) {
        if (isQuiet(next)) return next
      }
      return undefined
    },
  }
}

/**
 * Finds the end of quiet hours by whole minutes: no zone has changed its clock within one since
 * 1972.
 */
function findEnd(at: number, isQuiet: (at: number) => boolean): number {
  let end = getNextMinute(at)
  while (isQuiet(end)) end += minute
  return end
}

function getNextMinute(at: number): number {
  return (Math.floor(at / minute) + 1) * minute
}

function coversWholeWeek(spans: readonly WeeklySpan[]): boolean {
  for (let at = 0; at < week; at += 1) {
    if (!isInAnySpan(spans, { day: Math.floor(at / 1440), minute: at % 1440 })) return false
  }
  return true
}

function isInAnySpan(spans: readonly WeeklySpan[], time: WallTime): boolean {
  return spans.some(span => isInSpan(span, time))
}

function createWallClock(timeZone: string | undefined): (at: number) => WallTime {
  const format = createTimeFormat(timeZone)
  return at => {
    const found = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
    const day = weekdays.indexOf(found.get('weekday') ?? '')
    return { day, minute: Number(found.get('hour')) * 60 + Number(found.get('minute')) }
  }
}

function createTimeFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      ...(timeZone === undefined ? {} : { timeZone }),
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    })
  } catch (cause) {
    throw new RelayError('usage', `There is no time zone "${timeZone}".`, {
      hint: 'Use a name such as Europe/Berlin, America/New_York or UTC.',
      cause,
    })
  }
}
