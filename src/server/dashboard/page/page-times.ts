import type { Account } from '../../../domain/account/account.js'
import { formatDateTime } from '../../../domain/time/date-time.js'
import { isDay } from '../../../domain/time/local-day.js'
import { formatLocalTime, getUtcOffset, isTimeZone } from '../../../domain/time/zoned-time.js'
import { RelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import { getCookie } from '../session/cookies.js'

const zoneCookie = 'smsrelay_zone'
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const maxRelative = 10 * hour

/**
 * The time zone of a page: that of the account, or else the reader's, from a cookie that a script
 * of the dashboard sets. UTC without both.
 */
export function readTimeZone({ http, account }: TimeZoneSource): string {
  const own = account?.timeZone
  if (own !== undefined && isTimeZone(own)) return own
  const value = (getCookie(http, zoneCookie, false) ?? '').replaceAll('%2F', '/')
  return /^[\w+/-]{1,64}$/.test(value) && isTimeZone(value) ? value : 'UTC'
}

export interface TimeZoneSource {
  readonly http: HttpRequest
  readonly account?: Pick<Account, 'timeZone'> | undefined
}

/** The present day of the dashboard's reader, `YYYY-MM-DD`. */
export function getToday(request: TimeZoneSource & { readonly now: number }): string {
  return formatLocalTime(request.now, readTimeZone(request)).slice(0, 10)
}

/**
 * Parses a day `YYYY-MM-DD` in the address of a list of the dashboard; empty without one. A day
 * that does not exist would list everything, so it throws `invalid_parameter`.
 */
export function parseDay(text: string, request: TimeZoneSource & { readonly now: number }): string {
  if (text === '' || isDay(text)) return text
  throw new RelayError('invalid_parameter', formatWrongDay(text, getToday(request)))
}

export function formatWrongDay(text: string, example: string): string {
  return `${text} is not a date. Write it as ${example}.`
}

/** Minutes by which the clock of the dashboard's reader is ahead of UTC: a multiple of 15. */
export function getClockOffset(zone: string, at: number): number {
  return Math.round(getUtcOffset(at, zone) / (15 * minute)) * 15
}

const formatTimes = { near: formatNearTime, clock: formatClockTime, exact: formatFullTime } as const

export function fillTimes(document: string, now: number, zone: string, isExact = false): string {
  if (!document.includes('<time datetime="')) return document
  return document.replace(
    /<time datetime="([^"]+)"(?: data-(exact|clock)="true")?><\/time>/g,
    (_, iso: string, form: keyof typeof formatTimes = 'near') => {
      const at = Date.parse(iso)
      const shown = isExact ? 'exact' : form
      const kind = shown === 'near' && Math.abs(at - now) < maxRelative ? ' data-near' : ''
      const text = formatTimes[shown](at, now, zone)
      return `<time datetime="${iso}"${kind} title="${describeTime(at, zone)}">${text}</time>`
    },
  )
}

/**
 * Formats a time relative to another in the dashboard, both in milliseconds since the epoch: up to
 * ten hours, for example `3 min ago`; then `yesterday 21:15`, `17 Mar 21:15`, `17 Mar 2025`. The
 * script has the same rule for the first ten hours.
 */
export function formatNearTime(at: number, now: number, zone: string): string {
  const distance = Math.abs(at - now)
  if (distance >= maxRelative) return formatClockTime(at, now, zone)
  const length = formatLength(distance)
  return at > now ? `in ${length}` : `${length} ago`
}

/** Formats the time of day in the dashboard, with its date if that is not today. */
function formatClockTime(at: number, now: number, zone: string): string {
  const [local, today] = [formatLocalTime(at, zone), formatLocalTime(now, zone)]
  const clock = local.slice(11)
  const days = (Date.parse(local.slice(0, 10)) - Date.parse(today.slice(0, 10))) / day
  if (days === 0) return clock
  if (days === -1) return `yesterday ${clock}`
  if (days === 1) return `tomorrow ${clock}`
  const date = formatDate(local)
  return local.slice(0, 4) === today.slice(0, 4) ? `${date.slice(0, -5)} ${clock}` : date
}

function formatLength(milliseconds: number): string {
  if (milliseconds < minute) return `${Math.floor(milliseconds / 1000)} s`
  if (milliseconds < hour) return `${Math.floor(milliseconds / minute)} min`
  return `${Math.floor(milliseconds / hour)} h`
}

/** Formats `2026-03-18T…` as `18 Mar 2026` for the dashboard. */
export function formatDate(local: string): string {
  const [year = '', month = '', date = ''] = local.slice(0, 10).split('-')
  return `${Number(date)} ${months[Number(month) - 1]} ${year}`
}

/** Formats a day `YYYY-MM-DD` as `Monday, 18 Mar 2030` for the dashboard. */
export function formatDay(date: string): string {
  return `${weekdays[new Date(`${date}T00:00Z`).getUTCDay()]}, ${formatDate(date)}`
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats `18 Mar 2026, 10:19:48` for the dashboard. */
function formatFullTime(at: number, _now: number, zone: string): string {
  const local = formatLocalTime(at, zone)
  const seconds = formatDateTime(at).slice(17)
  return `${formatDate(local)}, ${local.slice(11)}:${seconds}`
}

function describeTime(at: number, zone: string): string {
  if (zone === 'UTC') return `${formatFullTime(at, at, zone)} UTC`
  const place = formatZone(zone)
  return `${formatFullTime(at, at, zone)} in ${place} (${formatDateTime(at).slice(11)} UTC)`
}

/** Formats `America/New_York` as `New York` for the dashboard. */
export function formatZone(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}
