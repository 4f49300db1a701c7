import { RequestError } from './request-error.js'

/** HTTP header fields by name in lower case; the lines of a repeated field are joined by commas. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

export interface FieldSection {
  readonly headers: RequestHeaders
  /** The header lines as the client sent them, with the empty line after them. */
  readonly lines: string
  /** Bytes of the request's body, or that it is chunked (RFC 9112 section 6). */
  readonly body: number | 'chunked'
  /** Whether the client sends further requests on the connection (RFC 9112 section 9.3). */
  readonly isKeptAlive: boolean
  /** Whether the client waits for `100 Continue` (RFC 9110 section 10.1.1). */
  readonly expectsContinue: boolean
}

export type HttpVersion = '1.0' | '1.1'

const maxFields = 100
const crlf = '\r\n'

const fieldLine = "[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~\x80-\xff]*\r\n"
const wholeSection = new RegExp(`^(?:${fieldLine})*\r\n$`)
const wholeLine = new RegExp(`^${fieldLine}$`)

/** The header field Host: host and port (RFC 9110 section 7.2). */
const hostValue = /^(?:\[[0-9A-Za-z:.%~_-]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::\d*)?$/
/**
 * The header field Transfer-Encoding; whitespace at the end is limited to what node:http accepts.
 */
const chunkedLine = /(?:^|\n)transfer-encoding:[\t ]*chunked\r\n/i
const lengthLine = /(?:^|\n)content-length:[\t ]*(\d{1,15}) *\r\n/i
const closeOption = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i
const keepAliveOption = /(?:^|,)[\t ]*keep-alive[\t ]*(?:,|$)/i

/**
 * Parses the header lines of an HTTP request, with the empty line; undefined if one is malformed.
 * @throws RequestError 400, 417 or 431
 */
export function parseFieldSection(lines: string, version: HttpVersion): FieldSection | undefined {
  if (!wholeSection.test(lines)) return undefined
  const headers = parseFieldLines(lines)
  const isLatest = version === '1.1'
  checkHost(headers, isLatest)
  return {
    headers,
    lines,
    body: parseBodyLength(headers, lines, isLatest),
    isKeptAlive: isKeptAlive(headers.connection, isLatest),
    expectsContinue: parseExpectation(headers.expect, isLatest),
  }
}

/** Whether a line is an HTTP field line (RFC 9112 section 5), its CRLF included. */
export function isFieldLine(line: string): boolean {
  return wholeLine.test(line)
}

export function isHost(text: string): boolean {
  return hostValue.test(text)
}

/** The names and values of HTTP field lines in turn, as the client sent them. */
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

/** Header fields that a request may have once, because two of them could be read in two ways. */
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
  if (!isHost(host)) throw new RequestError(400, 'The Host field is invalid.')
}

function parseBodyLength(
  headers: RequestHeaders,
  lines: string,
  isLatest: boolean,
): number | 'chunked' {
  const hasLength = headers['content-length'] !== undefined
  if (headers['transfer-encoding'] !== undefined) {
    if (isLatest && !hasLength && chunkedLine.test(lines)) return 'chunked'
    throw new RequestError(400, 'The Transfer-Encoding field is invalid here.')
  }
  if (!hasLength) return 0
  const [, length] = lengthLine.exec(lines) ?? []
  if (length === undefined) throw new RequestError(400, 'The Content-Length field is invalid.')
  return Number(length)
}

function isKeptAlive(connection: string | undefined, isLatest: boolean): boolean {
  if (connection === undefined) return isLatest
  return !closeOption.test(connection) && (isLatest || keepAliveOption.test(connection))
}

function parseExpectation(expect: string | undefined, isLatest: boolean): boolean {
  if (expect === undefined) return false
  if (expect.toLowerCase() === '100-continue') return isLatest
  throw new RequestError(417, 'Only the expectation 100-continue is supported.')
}
