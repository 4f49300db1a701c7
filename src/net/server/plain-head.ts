import type { IncomingHttpHeaders } from 'node:http'

/** The head of a request that can be read in one way only, and where it ends. */
export interface PlainHead {
  readonly method: string
  /** In origin-form (RFC 9112 section 3.2.1). */
  readonly target: string
  /** By their names in lower case; each was given once. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** Bytes of the body that belongs to it. */
  readonly bodyLength: number
  /** Its own bytes. */
  readonly length: number
}

/** A request line of HTTP/1.1. */
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,16}) (\/[!$-;=?-Z_a-z~@]*) HTTP\/1\.1\r\n/

/** Lines of fields without folding, tabs, control characters and bytes beyond ASCII, and the empty one behind them. */
const fieldLines = /(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ -~]*\r\n)+\r\n/y

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

/** The fields of a head, with the text that they were read from. */
interface KnownFields extends Pick<PlainHead, 'headers' | 'bodyLength'> {
  /** All lines behind the request line, with the empty one. */
  readonly lines: string
}

/** How many fields of a connection are kept, because a program sends few that differ. */
const mostKnown = 4
/** Characters of fields that are kept. */
const mostKept = 1024

/** Reads the heads of one connection. */
export class HeadReader {
  readonly #known: KnownFields[] = []
  #at = 0

  /**
   * Reads the head that `text` begins with (RFC 9112), as latin1; undefined where it is not whole, or where anything about
   * it is rare or open to doubt, so that a whole parser must look at it. Fields that were read before are the same object.
   */
  read(text: string): PlainHead | undefined {
    const [line, method, target] = requestLine.exec(text) ?? []
    if (line === undefined || method === undefined || target === undefined) return undefined
    if (method === 'HEAD' || method === 'CONNECT' || method === 'PRI') return undefined
    const from = line.length
    const fields =
      this.#known.find(({ lines }) => text.startsWith(lines, from)) ?? this.#learn(text, from)
    if (fields === undefined) return undefined
    const { headers, bodyLength, lines } = fields
    return { method, target, headers, bodyLength, length: from + lines.length }
  }

  #learn(text: string, from: number): KnownFields | undefined {
    fieldLines.lastIndex = from
    const [found] = fieldLines.exec(text) ?? []
    if (found === undefined) return undefined
    const isKept = found.length <= mostKept
    const lines = isKept ? copyOf(found) : found
    const fields = fieldsOf(lines)
    if (fields === undefined || !isKept) return fields
    this.#known[this.#at] = fields
    this.#at = (this.#at + 1) % mostKnown
    return fields
  }
}

/** A text of its own, that keeps nothing of the one it was a part of. */
function copyOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

function fieldsOf(lines: string): KnownFields | undefined {
  const headers = readFields(lines)
  if (headers?.host === undefined || !keepsOpen(headers.connection)) return undefined
  const bodyLength = lengthOf(headers['content-length'])
  return bodyLength === undefined ? undefined : { lines, headers, bodyLength }
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
  for (let at = 0; at < lines.length - lineBreak.length; count++) {
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
