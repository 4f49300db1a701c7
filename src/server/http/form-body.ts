import { RelayError } from '../../errors.js'

/**
 * Parses application/x-www-form-urlencoded text. Throws `invalid_request` for a malformed or
 * repeated field.
 */
export function parseForm(text: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodePart(equals === -1 ? pair : pair.slice(0, equals))
    setFieldOnce(fields, name, equals === -1 ? '' : decodePart(pair.slice(equals + 1)))
  }
  return fields
}

export function setFieldOnce<T>(fields: Record<string, T>, name: string, value: T): void {
  if (Object.hasOwn(fields, name)) {
    throw new RelayError('invalid_request', `\`${name}\` must be given once.`)
  }
  fields[name] = value
}

function decodePart(part: string): string {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    throw new RelayError('invalid_request', 'The form has a malformed percent-encoding.')
  }
}
