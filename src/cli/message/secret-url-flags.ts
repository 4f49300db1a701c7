import { parseUsageLimit } from '../../domain/account/usage-limit.js'
import { getTemplateFields } from '../../domain/bulk/text-template.js'
import { RelayError } from '../../errors.js'
import { parseUtcTime } from '../terminal/parse-values.js'

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** When a secret URL ends: seconds from now for `30d`, else the time itself. Throws `usage`. */
export function parseExpiry(
  name: string,
  text: string,
): { expires_in: number } | { expires_on: string } {
  const [, digits, unit = ''] = /^([1-9]\d{0,7})([smhdw])$/.exec(text) ?? []
  if (digits !== undefined) return { expires_in: Number(digits) * (units[unit] ?? Number.NaN) }
  if (/^\d{4}-/.test(text)) return { expires_on: parseUtcTime(name, text) }
  throw new RelayError('usage', `${name} must be a time span or a time.`, {
    hint: 'Write 30d (units s, m, h, d, w), UTC "YYYY-MM-DD HH:MM:SS", or ISO 8601 with its zone.',
  })
}

/** A limit such as `10/h`. Throws `usage`. */
export function parseUseRateFlag(name: string, text: string): string {
  if (parseUsageLimit(text) !== undefined) return text
  throw new RelayError('usage', `${name} must be a whole number of 1 to 99999 and its time.`, {
    hint: 'Write 10/h; the times are s, min, h and d.',
  })
}

/** A text with places for fields of a request. Throws `usage`. */
export function parseUrlTemplate(name: string, text: string): string {
  if (getTemplateFields(text) !== undefined) return text
  throw new RelayError(
    'usage',
    `${name} has a brace that is neither doubled nor part of a place.`,
    {
      hint: 'Write {name} for a field of the request, and {{ or }} for a brace.',
    },
  )
}
