import {
  type FieldSection,
  type HttpVersion,
  isFieldLine,
  isHost,
  parseFieldSection,
} from './field-section.js'
import { RequestError } from './request-error.js'

/** The head of an HTTP request (RFC 9112 section 2.1). */
export interface RequestHead {
  readonly method: string
  readonly target: string
  readonly version: HttpVersion
  readonly fields: FieldSection
  /** Bytes of the HTTP request's head, with the empty line. */
  readonly length: number
}

/** Characters of an HTTP method; the longest that a subscription can have. */
const maxMethodLength = 16
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]"
const requestLine = new RegExp(`^(${token}{1,${maxMethodLength}}) ([!-~]+) HTTP/(1\\.[01])\r\n`)
type RequestLine = readonly [line: string, method: string, target: string, version: HttpVersion]
const requestLineStart = new RegExp(`^${token}{1,${maxMethodLength}}(?:$| )`)
const otherVersion = / HTTP\/(?!1\.[01])\d\.\d\r\n$/
const longMethod = new RegExp(`^${token}{${maxMethodLength + 1}}`)
/** Request target in absolute-form (RFC 9112 section 3.2.2): its host, and its path and query. */
const absoluteForm = /^https?:\/\/([^/?#@]+)((?:[/?][^#]*)?)$/i

/** Header sections of a connection that are remembered: most clients repeat their fields. */
const maxKnown = 4
const maxKnownLength = 2048
const crlf = '\r\n'

export class RequestHeadParser {
  readonly #maxLength: number
  readonly #known: FieldSection[] = []
  #oldest = 0

  /** @param maxLength bytes of an HTTP request's head */
  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /**
   * Parses the request head at the start of a latin1 text; undefined if its end is missing.
   * @throws RequestError 400, 414, 417, 431, 501 or 505
   */
  parse(text: string): RequestHead | undefined {
    const match = requestLine.exec(text)
    if (match !== null) {
      const [line, method, target, version] = match as unknown as RequestLine
      const fields = this.#findKnown(text, line.length, version)
      const length = line.length + (fields?.lines.length ?? 0)
      if (fields !== undefined && length <= this.#maxLength) {
        const head = { method, target, version, fields, length }
        const isUsual = target.startsWith('/') && !target.includes('#') && method !== 'CONNECT'
        return isUsual ? head : resolveTarget(head)
      }
    }
    const error = this.#findError(text)
    if (error !== undefined) throw error
    return undefined
  }

  #findKnown(text: string, from: number, version: HttpVersion): FieldSection | undefined {
    if (version === '1.1') {
      for (const known of this.#known) if (hasTextAt(text, from, known.lines)) return known
    }
    const end = text.indexOf(crlf + crlf, from - crlf.length)
    if (end === -1) return undefined
    const fields = parseFieldSection(text.slice(from, end + 2 * crlf.length), version)
    if (version === '1.1' && fields !== undefined && fields.lines.length <= maxKnownLength) {
      this.#known[this.#oldest] = fields
      this.#oldest = (this.#oldest + 1) % maxKnown
    }
    return fields
  }

  /**
   * Finds the first error in a request's head, line by line: the result does not depend on how its
   * bytes were split.
   */
  #findError(text: string): RequestError | undefined {
    for (let at = 0; ; ) {
      const end = text.indexOf('\n', at) + 1
      const line = end > 0 && end <= this.#maxLength ? text.slice(at, end) : undefined
      const error = at === 0 ? findRequestLineError(line ?? text, line !== undefined) : undefined
      if (error !== undefined) return error
      if (line === undefined) return this.#findLengthError(at === 0, Math.max(end, text.length))
      if (line === crlf) return undefined
      if (at > 0 && !isFieldLine(line)) return new RequestError(400, 'A field line is invalid.')
      at = end
    }
  }

  #findLengthError(isRequestLine: boolean, length: number): RequestError | undefined {
    if (length <= this.#maxLength) return undefined
    return isRequestLine
      ? new RequestError(414, `The request line is longer than ${this.#maxLength} bytes.`)
      : new RequestError(431, `The head is longer than ${this.#maxLength} bytes.`)
  }
}

/** As `startsWith`, which takes seven times as long for long texts. */
function hasTextAt(text: string, from: number, part: string): boolean {
  return text.slice(from, from + part.length) === part
}

function findRequestLineError(line: string, isWhole: boolean): RequestError | undefined {
  if (longMethod.test(line)) {
    return new RequestError(501, `A method has at most ${maxMethodLength} characters.`)
  }
  const isBegun = line === '' || requestLineStart.test(line)
  if (isBegun && (!isWhole || requestLine.test(line))) return undefined
  return isBegun && otherVersion.test(line)
    ? new RequestError(505, 'Only HTTP/1.1 and HTTP/1.0 are supported.')
    : new RequestError(400, 'The request line is invalid.')
}

/**
 * A request target in absolute-form is reduced to its path, and its host replaces the field `Host`.
 */
function resolveTarget(head: RequestHead): RequestHead {
  const { method, target, fields } = head
  if (method === 'CONNECT') throw new RequestError(501, 'This server opens no tunnels.')
  if (target === '*' && method === 'OPTIONS') return head
  const [, host, path] = absoluteForm.exec(target) ?? []
  if (host === undefined || path === undefined || !isHost(host)) {
    throw new RequestError(400, 'The request target is invalid.')
  }
  const headers = Object.assign(Object.create(null), fields.headers, { host })
  const origin = path.startsWith('/') ? path : `/${path}`
  return { ...head, target: origin, fields: { ...fields, headers } }
}
