import type { IncomingMessage } from 'node:http'
import { formatDateTime } from '../../../domain/time/date-time.js'
import { getCookie } from '../session/cookies.js'

const offsetCookie = 'smsrelay_utc_offset'

/**
 * Minutes that the clock of the reader is ahead of UTC, as the script of the pages tells in a cookie; 0 without it, and
 * for what is not a multiple of 15 from -720 to 840.
 */
export function readUtcOffset(request: IncomingMessage): number {
  const value = getCookie(request, offsetCookie, false) ?? ''
  const minutes = /^-?\d{1,3}$/.test(value) ? Number(value) : 0
  return minutes % 15 === 0 && minutes >= -720 && minutes <= 840 ? minutes : 0
}

/** `YYYY-MM-DD HH:MM` of a clock so many minutes ahead of UTC, at a time in milliseconds since the epoch. */
export function formatWallTime(at: number, offset: number): string {
  return formatDateTime(at + offset * 60_000).slice(0, 16)
}

/** The name of such a clock, such as `UTC+02:00`. */
export function formatUtcOffset(offset: number): string {
  if (offset === 0) return 'UTC'
  const ahead = Math.abs(offset)
  const two = (value: number) => String(value).padStart(2, '0')
  return `UTC${offset < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`
}
