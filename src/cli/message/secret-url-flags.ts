import { parseUsageLimit } from '../../domain/account/usage-limit.js'
import { getTemplateFields } from '../../domain/bulk/text-template.js'
import { invalidValueError, parseUtcTime } from '../terminal/parse-values.js'

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Expiry of a secret URL: seconds from now for `30d`, otherwise the time. Throws `usage`. */
export function parseExpiry(
  name: string,
  text: string,
): { expires_in: number } | { expires_on: string } {
  const [, digits, unit = ''] = /^([1-9]\d{0,7})([smhdw])$/.exec(text) ?? []
  if (digits !== undefined) return { expires_in: Number(digits) * (units[unit] ?? Number.NaN) }
  if (/^\d{4}-/.test(text)) return { expires_on: parseUtcTime(name, text) }
  const hint =
    'Write 30d (units s, m, h, d, w), UTC "YYYY-MM-DD HH:MM:SS", or ISO 8601 with its zone.'
  throw invalidValueError(name, text, 'is not a duration or time', hint)
}

/** A rate such as `10/h`, as text. Throws `usage`. */
export function parseUseRateFlag(name: string, text: string): string {
  if (parseUsageLimit(text) !== undefined) return text
  const hint = 'Write 1 to 99999 uses per s, min, h or d, such as 10/h.'
  throw invalidValueError(name, text, 'is not a rate', hint)
}

/** A text with placeholders for fields of the request. Throws `usage`. */
export function parseUrlTemplate(name: string, text: string): string {
  if (getTemplateFields(text) !== undefined) return text
  const hint = 'Write {name} for a field of the request, and {{ or }} for a brace.'
  throw invalidValueError(name, text, 'has an unmatched brace', hint)
}
