import type { IncomingHttpHeaders } from 'node:http'

/** The head of a request that can be read in one way only, and where it ends. */
export interface PlainHead {
  readonly method: string
  /** In origin-form (RFC 9112 section 3.2.1). */
  readonly target: string
  /** By their names in lower case; each was given once. */
  readonly headers: IncomingHttpHeaders
  /** Bytes of the body that belongs to it. */
  readonly bodyLength: number
}

/** The end of a head, in text and in bytes alike. */
export const headEnd = '\r\n\r\n'

/** A request line of HTTP/1.1, and lines of fields without folding, tabs, control characters and bytes beyond ASCII. */
const shape =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,16}) (\/[!$-;=?-Z_a-z~@]*) HTTP\/1\.1\r\n((?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ -~]*\r\n)+)\r\n/

const mostFields = 64
const lineBreak = '\r\n'

/** Fields after which a message ends or a connection goes on in ways that only a whole parser knows, or that node keeps apart. */
const special = new Set([
  'transfer-encoding',
  'upgrade',
  'expect',
  'trailer',
  'http2-settings',
  'proxy-connection',
  'keep-alive',
  'set-cookie',
  '__proto__',
])

/**
 * Reads the head that `text` begins with (RFC 9112), as latin1; undefined where it is not whole, or where anything about
 * it is rare or open to doubt, so that a whole parser must look at it.
 */
export function readPlainHead(text: string): PlainHead | undefined {
  const [, method, target, lines] = shape.exec(text) ?? []
  if (method === undefined || target === undefined || lines === undefined) return undefined
  if (method === 'HEAD' || method === 'CONNECT' || method === 'PRI') return undefined
  const headers = readFields(lines)
  if (headers?.host === undefined || !keepsOpen(headers.connection)) return undefined
  const bodyLength = lengthOf(headers['content-length'])
  return bodyLength === undefined ? undefined : { method, target, headers, bodyLength }
}

/** Finding a name in lower case takes less than making it. */
const usual = new Map(
  [
    ...['Accept', 'Accept-Encoding', 'Accept-Language', 'Authorization', 'Cache-Control'],
    ...['Connection', 'Content-Length', 'Content-Type', 'Host', 'Idempotency-Key', 'Prefer'],
    ...['Sec-Fetch-Mode', 'User-Agent', 'X-Forwarded-For', 'X-Forwarded-Proto', 'X-Phone-Driver'],
    ...['X-Phone-Name', 'X-Real-IP'],
  ].flatMap(name => [name, name.toLowerCase()].map(known => [known, name.toLowerCase()] as const)),
)

/** Names that every object has by itself are taken for ones given twice. */
function readFields(lines: string): IncomingHttpHeaders | undefined {
  const headers: Record<string, string> = {}
  let count = 0
  for (let at = 0; at < lines.length; count++) {
    const end = lines.indexOf(lineBreak, at)
    const colon = lines.indexOf(':', at)
    const name = lowerCase(lines.slice(at, colon))
    if (count === mostFields || headers[name] !== undefined || special.has(name)) return undefined
    headers[name] = lines.slice(colon + 1, end).trim()
    at = end + lineBreak.length
  }
  return headers
}

function lowerCase(name: string): string {
  return usual.get(name) ?? name.toLowerCase()
}

function keepsOpen(connection: string | undefined): boolean {
  return connection === undefined || /^keep-alive$/i.test(connection)
}

function lengthOf(text: string | undefined): number | undefined {
  if (text === undefined) return 0
  return /^(?:0|[1-9]\d{0,5})$/.test(text) ? Number(text) : undefined
}
