import { parseCountRate, rateUnits } from '../../domain/time/rate.js'
import { RelayError } from '../../errors.js'

/** Times a second of `5/s`, `100/min` or `20/h`; a bare number is a second's. Throws `usage`. */
export function parseRateFlag(name: string, text: string): number {
  const read = parseCountRate(text.includes('/') ? text : `${text}/s`)
  if (read !== undefined) return (read.count * 1000) / rateUnits[read.unit]
  throw new RelayError('usage', `${name} must be a rate such as 5/s, 100/min or 20/h.`)
}

/** The fraction, 0 to 1, of `10%` or `0.1`. Throws `usage`. */
export function parseShare(name: string, text: string): number {
  const [, digits, percent] = /^(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6})(%)?$/.exec(text) ?? []
  const value = Number(digits) / (percent === undefined ? 1 : 100)
  if (Number.isFinite(value) && value <= 1) return value
  throw new RelayError('usage', `${name} must be a share such as 10% or 0.1.`)
}

/** The seed that was given, or one of `random` (0 to 1, without 1). Throws `usage`. */
export function parseSeed(name: string, text: string | undefined, random: () => number): number {
  if (text === undefined) return Math.floor(random() * 2 ** 31)
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return Number(text)
  throw new RelayError('usage', `${name} must be a whole number, 0 to ${2 ** 32 - 1}.`)
}
