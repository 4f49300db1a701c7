import { formatCurlCommand } from '../../contract/secret-url/secret-url-address.js'
import { parseUsageLimit } from '../../domain/account/usage-limit.js'
import { getTemplateFields } from '../../domain/bulk/text-template.js'
import type { SecretUrlFields } from '../../resources/secret-url.js'
import type { Column } from '../output/column.js'
import { invalidValueError, parseUtcTime } from '../terminal/parse-values.js'
import { formatFields } from '../terminal/terminal-text.js'

export function formatNewSecretUrl(secretUrl: SecretUrlFields): string {
  const { url = '' } = secretUrl
  const terms = {
    ...(secretUrl.destination === null ? {} : { destinations: secretUrl.destination }),
    ...(secretUrl.message === null ? {} : { template: secretUrl.message }),
  }
  return formatFields({ url, ...toDetails(secretUrl), curl: formatCurlCommand(url, terms) })
}

export const secretUrlColumns: readonly Column<SecretUrlFields>[] = [
  { name: 'id', isId: true, read: each => each.id },
  { name: 'name', canTruncate: true, read: each => each.name },
  { name: 'destination', title: 'to', empty: 'any', read: each => each.destination },
  { name: 'rate', read: each => each.rate },
  { name: 'state', isWide: true, read: each => each.state },
  {
    name: 'expires_on',
    title: 'expires',
    isTime: true,
    empty: 'never',
    read: each => each.expires_on,
  },
  { name: 'confirm', isWide: true, read: each => each.confirm },
  { name: 'used_count', title: 'used', read: each => each.used_count },
  {
    name: 'last_used_on',
    title: 'last used',
    isTime: true,
    empty: 'never',
    read: each => each.last_used_on,
  },
  { name: 'max_length', title: 'max. characters', isWide: true, read: each => each.max_length },
  { name: 'message', title: 'text', canTruncate: true, empty: 'any', read: each => each.message },
]

function toDetails(secretUrl: SecretUrlFields): Record<string, string> {
  return {
    id: secretUrl.id,
    ...(secretUrl.name === null ? {} : { name: secretUrl.name }),
    to: secretUrl.destination?.join(', ') ?? 'from the request',
    text: secretUrl.message ?? 'from the request',
    'max. characters': String(secretUrl.max_length),
    ...(secretUrl.rate === null ? {} : { rate: secretUrl.rate }),
    expires: secretUrl.expires_on === null ? 'never' : `${secretUrl.expires_on} UTC`,
    GET: secretUrl.confirm ? 'asks for confirmation' : 'sends',
  }
}

const secondsByUnit: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
}

/**
 * Parses --expires of `url create`: seconds from now for `30d`, otherwise the time. Throws `usage`.
 */
export function parseExpiry(
  name: string,
  text: string,
): { expires_in: number } | { expires_on: string } {
  const [, digits, unit = ''] = /^([1-9]\d{0,7})([smhdw])$/.exec(text) ?? []
  if (digits !== undefined)
    return { expires_in: Number(digits) * (secondsByUnit[unit] ?? Number.NaN) }
  if (/^\d{4}-/.test(text)) return { expires_on: parseUtcTime(name, text) }
  const hint =
    'Write 30d (units s, m, h, d, w), UTC "YYYY-MM-DD HH:MM:SS", or ISO 8601 with its zone.'
  throw invalidValueError(name, text, 'is not a duration or time', hint)
}

/** Parses the flag --rate of `url create`, such as `10/h`. Throws `usage`. */
export function parseUseRateFlag(name: string, text: string): string {
  if (parseUsageLimit(text) !== undefined) return text
  const hint = 'Write 1 to 99999 uses per s, min, h or d, such as 10/h.'
  throw invalidValueError(name, text, 'is not a rate', hint)
}

export function parseUrlTemplate(name: string, text: string): string {
  if (getTemplateFields(text) !== undefined) return text
  const hint =
    'Write {name} for a field, {a|b|"text"} for the first of several, {{ or }} for a brace.'
  throw invalidValueError(name, text, 'has an unmatched brace', hint)
}
