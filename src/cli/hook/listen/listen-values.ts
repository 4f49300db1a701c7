import { limits } from '../../../domain/limits.js'
import { RelayError } from '../../../errors.js'

/** Where `hook listen` begins: now, at an event, at the last so many, or with those that were refused. */
export type StartPosition =
  | { readonly kind: 'now' }
  | { readonly kind: 'failed' }
  /** Behind this event; -N: at the last N. */
  | { readonly kind: 'after'; readonly after: number }

/** What `--from` says: `now`, `failed`, a sequence, or -N. Throws `usage`. */
export function parseStartPosition(text: string): StartPosition {
  if (text === 'now' || text === 'failed') return { kind: text }
  const number = /^(?:\d{1,15}|-\d{1,4})$/.test(text) ? Number(text) : Number.NaN
  if (number >= 0) return { kind: 'after', after: Math.max(number - 1, 0) }
  if (number >= -limits.latestEvents) return { kind: 'after', after: number }
  throw new RelayError('usage', '--from must be now, failed, a sequence, or -1 to -1000.')
}

/** Which statuses `--expect` means. */
export interface ExpectedStatus {
  readonly text: string
  readonly matches: (status: number | null) => boolean
}

/** What `--expect` says: a status such as 204, or a class such as 2xx. Throws `usage`. */
export function parseExpectedStatus(text: string): ExpectedStatus {
  if (!/^[1-5](?:\d\d|xx)$/i.test(text)) {
    throw new RelayError('usage', '--expect must be a status such as 204, or a class such as 2xx.')
  }
  const shape = new RegExp(`^${text.toLowerCase().replaceAll('x', '\\d')}$`)
  return { text, matches: status => shape.test(String(status)) }
}

/** An address to forward to; `3000` and `localhost:3000/hook` are short for one of http. Throws `usage`. */
export function parseForwardAddress(text: string): string {
  const local = /^\d{1,5}$/.test(text) ? `127.0.0.1:${text}` : text
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(local) ? local : `http://${local}`
  const isWeb = /^https?:\/\//i.test(address) && !/[\s\p{Cc}]/u.test(address)
  if (isWeb && URL.canParse(address)) return address
  throw new RelayError(
    'usage',
    '--forward-to must be an address such as http://127.0.0.1:3000/hook.',
  )
}

const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Fields that say where a message ends, or that are about one connection alone (RFC 9110 section 7.6.1). */
const framingFields =
  /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect)$/i

/** Header fields as `-H` names them: `Name: value`, each name once. Throws `usage`. */
export function parseHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  const fields = texts.map(parseHeaderField)
  const names = fields.map(([name]) => name.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return Object.fromEntries(fields)
  throw new RelayError('usage', `-H gives the header field ${twice} twice.`)
}

function parseHeaderField(text: string): readonly [string, string] {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(colon, 0))
  const value = text.slice(colon + 1).trim()
  if (!tokenPattern.test(name)) {
    throw new RelayError('usage', "-H must be a header field such as 'X-Env: test'.")
  }
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw new RelayError('usage', `The value of the header field ${name} cannot be sent.`)
  }
  if (framingFields.test(name)) {
    throw new RelayError(
      'usage',
      `The header field ${name} cannot be set: it belongs to the connection.`,
    )
  }
  return [name, value]
}

/** Whether an address is of this machine alone. */
export function isLoopback(url: string): boolean {
  const host = new URL(url).hostname
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.localhost)$/i.test(host)
}
