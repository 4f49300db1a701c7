import { limits } from '../../../domain/limits.js'
import { RelayError } from '../../../errors.js'

export type StartPosition =
  | { readonly kind: 'now' }
  /** `--from failed`: the events that failed in an earlier run of `hook listen`. */
  | { readonly kind: 'failed' }
  /** `--from N`: events after this sequence; a negative number N: the last N events. */
  | { readonly kind: 'after'; readonly after: number }

/** Parses --from of `hook listen`: `now`, `failed`, a sequence, or -N. Throws `usage`. */
export function parseStartPosition(text: string): StartPosition {
  if (text === 'now' || text === 'failed') return { kind: text }
  const number = /^(?:\d{1,15}|-\d{1,4})$/.test(text) ? Number(text) : Number.NaN
  if (number >= 0) return { kind: 'after', after: Math.max(number - 1, 0) }
  if (number >= -limits.latestEvents) return { kind: 'after', after: number }
  throw usageError(`--from must be now, failed, a sequence, or -1 to -1000, not "${text}".`)
}

/** Parses --expect, a status such as 204 or a class such as 2xx, to a pattern. Throws `usage`. */
export function parseExpectedStatus(text: string): RegExp {
  if (!/^[1-5](?:\d\d|xx)$/i.test(text)) {
    throw usageError(`--expect must be a status such as 204 or 2xx, not "${text}".`)
  }
  return new RegExp(`^${text.toLowerCase().replaceAll('x', '\\d')}$`)
}

/** Parses --forward-to: a URL, or short for http: `3000`, `localhost:3000/hook`. Throws `usage`. */
export function parseForwardAddress(text: string): string {
  const local = /^\d{1,5}$/.test(text) ? `127.0.0.1:${text}` : text
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(local) ? local : `http://${local}`
  const isWeb = /^https?:\/\//i.test(address) && !/[\s\p{Cc}]/u.test(address)
  if (isWeb && URL.canParse(address)) return address
  throw usageError(
    `--forward-to must be an address such as http://127.0.0.1:3000/hook, not "${text}".`,
  )
}

const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** HTTP header fields of message framing, and of one connection (RFC 9110 section 7.6.1). */
const framingFields =
  /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect)$/i

/**
 * Parses the values of the flag -H of `hook listen`, `Name: value`, each name once. Throws `usage`.
 */
export function parseHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  const fields = texts.map(parseHeaderField)
  const names = fields.map(([name]) => name.toLowerCase())
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated === undefined) return Object.fromEntries(fields)
  throw usageError(`-H sets the header field ${repeated} twice.`)
}

function parseHeaderField(text: string): readonly [string, string] {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(colon, 0))
  const value = text.slice(colon + 1).trim()
  if (!tokenPattern.test(name)) {
    throw usageError(`-H must be a header field such as 'X-Env: test', not '${text}'.`)
  }
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw usageError(`-H has a value for ${name} with characters that HTTP does not allow.`)
  }
  if (framingFields.test(name)) {
    throw usageError(`-H cannot set ${name}: this field belongs to the connection.`)
  }
  return [name, value]
}

function usageError(message: string): RelayError {
  return new RelayError('usage', message)
}
