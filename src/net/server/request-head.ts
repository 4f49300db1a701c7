/** A request that is refused before anything handles it; the connection closes after the reply. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Values by field name in lower case; the lines of a repeated field are joined by commas. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** The head of a request (RFC 9112 section 2.1). */
export interface RequestHead {
  readonly method: string
  readonly version: '1.0' | '1.1'
  /** The request target in origin-form, or `*`; an absolute-form is reduced to its path and query. */
  readonly target: string
  readonly headers: RequestHeaders
  /** The field lines as they were sent, with the empty line. */
  readonly fieldLines: string
  /** Bytes of the body, or that it is chunked. */
  readonly body: number | 'chunked'
  /** Whether the client sends further requests on the connection (RFC 9112 section 9.3). */
  readonly isKeptAlive: boolean
  /** Whether the client waits for `100 Continue` (RFC 9110 section 10.1.1). */
  readonly expectsContinue: boolean
}

/** Characters of a method; the longest that a subscription can have. */
const maxMethodLength = 16
const maxFields = 100
const crlf = '\r\n'

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]"
const requestLine = new RegExp(`^(${token}{1,${maxMethodLength}}) ([!-~]+) HTTP/1\\.([01])\r\n`)
const fieldLine = `${token}+:[\t -~\x80-\xff]*\r\n`
const allFieldLines = new RegExp(`(?:${fieldLine})*\r\n`, 'y')
const oneFieldLine = new RegExp(`^${fieldLine}$`)
const requestLineStart = new RegExp(`^${token}{1,${maxMethodLength}}(?:$| )`)

/** Host and port (RFC 9110 section 7.2). */
const hostValue = /^(?:\[[0-9A-Za-z:.%~_-]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::\d*)?$/
/** A target in absolute-form (RFC 9112 section 3.2.2), with its authority, and its path and query. */
const absoluteForm = /^https?:\/\/([^/?#@]+)((?:[/?][^#]*)?)$/i
const contentLength = /^\d{1,15}$/
const closeOption = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i
const keepAliveOption = /(?:^|,)[\t ]*keep-alive[\t ]*(?:,|$)/i

/**
 * Parses a head that ends with its empty line, given as latin1.
 *
 * @throws RequestError 400, 414, 417, 431, 501 or 505
 */
export function parseRequestHead(text: string, maxLength: number): RequestHead {
  const [line, method, target, minor] = requestLine.exec(text) ?? []
  if (line === undefined || method === undefined || target === undefined)
    throw headError(text, maxLength)
  allFieldLines.lastIndex = line.length
  if (text.length > maxLength || !allFieldLines.test(text)) throw headError(text, maxLength)
  const fieldLines = text.slice(line.length)
  const headers = parseFieldLines(fieldLines)
  const isLatest = minor === '1'
  checkHost(headers, isLatest)
  return {
    method,
    version: isLatest ? '1.1' : '1.0',
    target: parseTarget(method, target, headers),
    headers,
    fieldLines,
    body: parseBodyLength(headers, isLatest),
    isKeptAlive: isKeptAlive(headers.connection, isLatest),
    expectsContinue: expectsContinue(headers.expect, isLatest),
  }
}

/** The names and values of field lines in turn, as they were sent. */
export function splitFieldLines(lines: string): string[] {
  const fields: string[] = []
  for (let at = 0; at < lines.length - crlf.length; ) {
    const colon = lines.indexOf(':', at)
    const end = lines.indexOf(crlf, colon)
    fields.push(lines.slice(at, colon), trimWhitespace(lines, colon + 1, end))
    at = end + crlf.length
  }
  return fields
}

/** Whether a line is a field line (RFC 9112 section 5), its CRLF included. */
export function isFieldLine(line: string): boolean {
  return oneFieldLine.test(line)
}

/**
 * Finds the first error in a head, line by line, whether or not its end has arrived: the result does
 * not depend on how the bytes were split.
 */
export function findHeadError(text: string, maxLength: number): RequestError | undefined {
  let at = 0
  for (;;) {
    const isFirst = at === 0
    const end = text.indexOf('\n', at) + 1
    const isWhole = end > 0 && end <= maxLength
    if (isFirst) {
      const error = isWhole ? requestLineError(text.slice(0, end)) : methodError(text)
      if (error !== undefined) return error
    }
    if (!isWhole)
      return Math.max(end, text.length) > maxLength ? lengthError(isFirst, maxLength) : undefined
    const line = text.slice(at, end)
    if (line === crlf) return undefined
    if (!isFirst && !isFieldLine(line)) return new RequestError(400, 'A field line is invalid.')
    at = end
  }
}

function headError(text: string, maxLength: number): RequestError {
  return findHeadError(text, maxLength) ?? new RequestError(400, 'The head is invalid.')
}

function requestLineError(line: string): RequestError | undefined {
  if (requestLine.test(line)) return undefined
  const isOtherVersion = / HTTP\/\d\.\d\r\n$/.test(line) && !/ HTTP\/1\.[01]\r\n$/.test(line)
  if (isOtherVersion) return new RequestError(505, 'Only HTTP/1.1 and HTTP/1.0 are supported.')
  return methodError(line) ?? new RequestError(400, 'The request line is invalid.')
}

function methodError(text: string): RequestError | undefined {
  if (text === '' || requestLineStart.test(text)) return undefined
  const isTooLong = new RegExp(`^${token}{${maxMethodLength + 1}}`).test(text)
  if (!isTooLong) return new RequestError(400, 'The method is invalid.')
  return new RequestError(501, `A method has at most ${maxMethodLength} characters.`)
}

function lengthError(isFirst: boolean, maxLength: number): RequestError {
  return isFirst
    ? new RequestError(414, `The request line is longer than ${maxLength} bytes.`)
    : new RequestError(431, `The head is longer than ${maxLength} bytes.`)
}

/** Fields that a request may have once, because two of them could be read in two ways. */
const singleFields = new Set(['host', 'content-length', 'transfer-encoding'])

function parseFieldLines(lines: string): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  let count = 0
  for (let at = 0; at < lines.length - crlf.length; count++) {
    const colon = lines.indexOf(':', at)
    const end = lines.indexOf(crlf, colon)
    addField(headers, lines.slice(at, colon).toLowerCase(), trimWhitespace(lines, colon + 1, end))
    at = end + crlf.length
  }
  if (count > maxFields) throw new RequestError(431, `The head has more than ${maxFields} fields.`)
  return headers
}

function addField(headers: Record<string, string>, name: string, value: string): void {
  const known = headers[name]
  if (known === undefined) headers[name] = value
  else if (singleFields.has(name)) throw new RequestError(400, `There are two ${name} fields.`)
  else headers[name] = known + (name === 'cookie' ? '; ' : ', ') + value
}

/** The text between, without the spaces and tabs around it. */
function trimWhitespace(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isWhitespace(text.charCodeAt(start))) start += 1
  while (end > start && isWhitespace(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isWhitespace(code: number): boolean {
  return code === 0x20 || code === 0x09
}

function checkHost(headers: RequestHeaders, isLatest: boolean): void {
  const { host } = headers
  if (host === undefined && !isLatest) return
  if (host === undefined) throw new RequestError(400, 'The Host field is missing.')
  if (!hostValue.test(host)) throw new RequestError(400, 'The Host field is invalid.')
}

/** The host of an absolute-form replaces the Host field (RFC 9112 section 3.2.2). */
function parseTarget(method: string, target: string, headers: Record<string, string>): string {
  if (method === 'CONNECT') throw new RequestError(501, 'This server opens no tunnels.')
  const isAsterisk = target === '*' && method === 'OPTIONS'
  if (isAsterisk || (target.startsWith('/') && !target.includes('#'))) return target
  const [, host, path] = absoluteForm.exec(target) ?? []
  if (host === undefined || path === undefined || !hostValue.test(host)) {
    throw new RequestError(400, 'The request target is invalid.')
  }
  headers.host = host
  return path.startsWith('/') ? path : `/${path}`
}

function parseBodyLength(headers: RequestHeaders, isLatest: boolean): number | 'chunked' {
  const length = headers['content-length']
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    const isChunked = isLatest && length === undefined && coding.toLowerCase() === 'chunked'
    if (isChunked) return 'chunked'
    throw new RequestError(400, 'The Transfer-Encoding field is invalid here.')
  }
  if (length === undefined) return 0
  if (!contentLength.test(length))
    throw new RequestError(400, 'The Content-Length field is invalid.')
  return Number(length)
}

function isKeptAlive(connection: string | undefined, isLatest: boolean): boolean {
  if (connection === undefined) return isLatest
  return !closeOption.test(connection) && (isLatest || keepAliveOption.test(connection))
}

function expectsContinue(expect: string | undefined, isLatest: boolean): boolean {
  if (expect === undefined) return false
  if (expect.toLowerCase() === '100-continue') return isLatest
  throw new RequestError(417, 'Only the expectation 100-continue is supported.')
}
