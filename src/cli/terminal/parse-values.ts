import { normalizeDateTime } from '../../domain/time/date-time.js'
import { parseCountRate, rateUnits } from '../../domain/time/rate.js'
import { RelayError } from '../../errors.js'

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
/** The longest duration that can be typed in the terminal: the longest delay of a Node timer. */
const maxDuration = 2 ** 31 - 1
/** Characters of a flag's value that an error repeats. */
const maxShown = 40

/**
 * Parses a flag typed in the terminal to milliseconds: `500ms`, `30s`, `2m` or `1h`; a bare number
 * is seconds. Throws `usage`.
 */
export function parseDuration(name: string, text: string): number {
  const [, digits, unit] = /^(\d{1,10}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(text) ?? []
  const ms = Number(digits) * (units[unit ?? 's'] ?? Number.NaN)
  if (Number.isFinite(ms) && ms <= maxDuration) return Math.round(ms)
  throw invalidValueError(name, text, 'is not a duration', 'Write 500ms, 30s, 2m or 1h.')
}

export function parseInteger(name: string, text: string, min: number, max: number): number {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw invalidValueError(name, text, 'is not valid', `Write a whole number, ${min} to ${max}.`)
}

export function parseNumber(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw invalidValueError(name, text, 'is not valid', `Write a number, ${min} to ${max}.`)
}

/**
 * Parses a flag typed in the terminal to requests a second: `5/s`, `100/min` or `20/h`; a bare
 * number is per second. Throws `usage`.
 */
export function parseRateFlag(name: string, text: string): number {
  const rate = parseCountRate(text.includes('/') ? text : `${text}/s`)
  if (rate !== undefined) return (rate.count * 1000) / rateUnits[rate.unit]
  throw invalidValueError(name, text, 'is not a rate', 'Write 5/s, 100/min or 20/h.')
}

/**
 * Parses a flag's time to UTC `YYYY-MM-DD HH:MM:SS`, from that form or from ISO 8601 with its zone.
 * Throws `usage`.
 */
export function parseUtcTime(name: string, text: string): string {
  const time = normalizeDateTime(text)
  if (time !== undefined) return time
  const hint =
    'Write UTC "YYYY-MM-DD HH:MM:SS", or ISO 8601 with its zone: 2030-01-31T09:00:00+02:00.'
  throw invalidValueError(name, text, 'is not a valid time', hint)
}

/**
 * Parses a flag typed in the terminal: an http or https address without login, query and trailing
 * slash. Throws `usage`.
 */
export function parseBaseAddress(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')
  if (isWeb && url.username === '' && url.password === '' && url.search === '' && url.hash === '') {
    return url.href.replace(/\/+$/, '')
  }
  // The usage error in the terminal does not repeat the relay's address, which may contain a
  // password.
  throw new RelayError('usage', `${name} is not a valid address of a relay.`, {
    hint: 'Write http:// or https:// and a host, such as http://127.0.0.1:8080.',
  })
}

/**
 * A usage error of a flag or argument typed in the terminal. Not for secrets: the error repeats the
 * value.
 */
export function invalidValueError(
  name: string,
  text: string,
  problem: string,
  hint: string,
): RelayError {
  const shown = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
  return new RelayError('usage', `${name} ${JSON.stringify(shown)} ${problem}.`, {
    hint,
    ...(name.startsWith('--') ? { fields: { flag: name } } : {}),
  })
}

export function parseEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding
  } catch {
    const hint = 'Write utf-8, windows-1252 or another label of the Encoding Standard.'
    throw invalidValueError('--encoding', label, 'is not an encoding', hint)
  }
}
