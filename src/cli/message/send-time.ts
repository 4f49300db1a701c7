import { formatDateTime } from '../../domain/time/date-time.js'
import { findLocalTimes, formatLocalTime } from '../../domain/time/zoned-time.js'
import { RelayError } from '../../errors.js'
import { invalidValueError, parseUtcTime } from '../terminal/parse-values.js'

export interface SendTime {
  /** UTC `YYYY-MM-DD HH:MM:SS`. */
  readonly utc: string
  readonly local?: string
}

const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/**
 * Parses a time of a message: `+10m`, `today 18:00` or `tomorrow 9:00` in the user's time zone, or
 * as {@link parseUtcTime}. Throws `usage`, also for a local time that has passed, that the clocks
 * skip or that occurs twice.
 */
export function parseSendTime(name: string, text: string, now: number, zone: string): SendTime {
  const [, count, unit = ''] = /^\+(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return toSendTime(now + Number(count) * (units[unit] ?? 0), zone)
  const [, day, hour = '', minute] = /^(today|tomorrow) (\d{1,2}):(\d{2})$/i.exec(text) ?? []
  if (day === undefined) return { utc: parseOtherTime(name, text) }
  const date = getLocalDate(now, zone, day.toLowerCase() === 'tomorrow' ? 1 : 0)
  const found = findLocalTimes(`${date}T${hour.padStart(2, '0')}:${minute}`, zone)
  if (found === undefined) throw invalidTimeError(name, text)
  const [at, second] = found.times
  if (at === undefined || second !== undefined)
    throw clockChangeError(name, text, zone, found.times)
  if (at < now) {
    throw invalidValueError(name, text, 'has passed', 'Write tomorrow, or remove the flag.')
  }
  return toSendTime(at, zone)
}

function toSendTime(at: number, zone: string): SendTime {
  return { utc: formatDateTime(at), local: formatLocalTime(at, zone).replace('T', ' ') }
}

function getLocalDate(now: number, zone: string, days: number): string {
  const today = Date.parse(`${formatLocalTime(now, zone).slice(0, 10)}T00:00Z`)
  return new Date(today + days * 86_400_000).toISOString().slice(0, 10)
}

function parseOtherTime(name: string, text: string): string {
  try {
    return parseUtcTime(name, text)
  } catch {
    throw invalidTimeError(name, text)
  }
}

function invalidTimeError(name: string, text: string): RelayError {
  const hint =
    'Write +10m, "tomorrow 9:00", UTC "YYYY-MM-DD HH:MM:SS", or ISO 8601 with its zone: ' +
    '2030-01-31T09:00:00+02:00.'
  return invalidValueError(name, text, 'is not a valid time', hint)
}

function clockChangeError(
  name: string,
  text: string,
  zone: string,
  times: readonly number[],
): RelayError {
  const problem = times.length === 0 ? 'does not exist' : 'occurs twice'
  const choice = times.length === 0 ? '' : ` UTC: ${times.map(formatDateTime).join(' or ')}.`
  return new RelayError('usage', `${name} "${text}" ${problem} in ${zone}: the clocks change.`, {
    hint: `Write the time in UTC.${choice}`,
  })
}
