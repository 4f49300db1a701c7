import { formatDateTime } from '../../../domain/time/date-time.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import { getCookie } from '../session/cookies.js'
import { type Html, h } from './html.js'

/**
 * A time on a dashboard page, in milliseconds since the epoch. Scripts convert it from UTC to the
 * reader's zone.
 */
export function Time({ at }: { readonly at: number }): Html {
  return <time datetime={new Date(at).toISOString()}>{`${formatDateTime(at)} UTC`}</time>
}

const offsetCookie = 'smsrelay_utc_offset'

/**
 * The reader's offset from UTC in minutes, from a cookie that a script sets. 0 without a valid
 * cookie: a multiple of 15 from -720 to 840.
 */
export function readUtcOffset(request: HttpRequest): number {
  const value = getCookie(request, offsetCookie, false) ?? ''
  const minutes = /^-?\d{1,3}$/.test(value) ? Number(value) : 0
  return minutes % 15 === 0 && minutes >= -720 && minutes <= 840 ? minutes : 0
}

/**
 * Formats a time of a dashboard page, `YYYY-MM-DD HH:MM`, at an offset from UTC in minutes; `at` is
 * in milliseconds since the epoch.
 */
export function formatWallTime(at: number, offset: number): string {
  return formatDateTime(at + offset * 60_000).slice(0, 16)
}

/** Shows an offset of the dashboard's charts, in minutes, as `UTC+02:00`. */
export function formatUtcOffset(offset: number): string {
  if (offset === 0) return 'UTC'
  const minutes = Math.abs(offset)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `UTC${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}
