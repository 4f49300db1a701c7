import { normalizeDateTime } from '../../domain/time/date-time.js'
import { RelayError } from '../../errors.js'

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const maxDuration = 2 ** 31 - 1

/** Milliseconds of `30s`, `500ms`, `2m`, `1h`; a bare number is seconds. Throws `usage`. */
export function parseDuration(name: string, text: string): number {
  const [, digits, unit] = /^(\d{1,10}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(text) ?? []
  const ms = Number(digits) * (units[unit ?? 's'] ?? Number.NaN)
  if (Number.isFinite(ms) && ms <= maxDuration) return Math.round(ms)
  throw new RelayError('usage', `${name} must be a time such as 500ms, 30s, 2m or 1h.`)
}

/** An integer of a range. Throws `usage`. */
export function parseInteger(name: string, text: string, least: number, most: number): number {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new RelayError('usage', `${name} must be a whole number, ${least} to ${most}.`)
}

/** A number of a range. Throws `usage`. */
export function parseNumber(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new RelayError('usage', `${name} must be a number, ${least} to ${most}.`)
}

/**
 * A time as the interface wants it, UTC `YYYY-MM-DD HH:MM:SS`, from that form or from ISO 8601 with its zone.
 * Throws `usage`.
 */
export function parseUtcTime(name: string, text: string): string {
  const time = normalizeDateTime(text)
  if (time !== undefined) return time
  throw new RelayError('usage', `${name} must be an existing time.`, {
    hint: 'Write UTC "YYYY-MM-DD HH:MM:SS", or ISO 8601 with its zone, such as 2030-01-31T09:00:00+02:00.',
  })
}

/** An address of http or https without a login, a query and a slash at its end. Throws `usage`. */
export function parseBaseAddress(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const web = url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')
  if (web && url.username === '' && url.password === '' && url.search === '' && url.hash === '') {
    return url.href.replace(/\/+$/, '')
  }
  throw new RelayError('usage', `${name} must be an address such as http://127.0.0.1:8080.`)
}
