import { RelayError } from '../../errors.js'

/**
 * Parses application/x-www-form-urlencoded text, of a body or a query. Throws `invalid_request` for
 * a repeated field, and for one that is not UTF-8.
 */
export function parseForm(text: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodePart(equals === -1 ? pair : pair.slice(0, equals), 'A name')
    const value = equals === -1 ? '' : decodePart(pair.slice(equals + 1), `\`${name}\``)
    setFieldOnce(fields, name, value)
  }
  return fields
}

export function setFieldOnce<T>(fields: Record<string, T>, name: string, value: T): void {
  if (Object.hasOwn(fields, name)) throw repeatedFieldError(name)
  fields[name] = value
}

export function repeatedFieldError(name: string): RelayError {
  return new RelayError('invalid_request', `\`${name}\` must be given once.`)
}

const barePercent = /%(?![0-9A-Fa-f]{2})/g

/** Decodes as the URL standard, section 5.1: a `%` without two hexadecimal digits is itself. */
export function decodePart(part: string, what: string): string {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced.replace(barePercent, '%25'))
  } catch {
    throw new RelayError('invalid_request', `${what} has percent-encoded bytes other than UTF-8.`, {
      hint: 'Encode the text in UTF-8; other charsets, such as ISO-8859-1, are not supported.',
    })
  }
}
