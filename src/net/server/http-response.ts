import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestHead } from './request-head.js'

/** A JSON body of an HTTP reply: its text, or its bytes in UTF-8. */
export type Json = string | Buffer

export type ReplyFields = Readonly<Record<string, string | number>>

export interface ReplyConnection {
  readonly socket: Socket
  readonly isLastReply: boolean
  /** The header fields for a connection that stays open, with their line ends. */
  readonly keepAliveFields: string
  onReplyEnd(response: HttpResponse, closes: boolean): void
  onBackpressure(): void
}

export const jsonType = 'application/json; charset=utf-8'

/**
 * Up to this length in bytes, a reply's body is appended to its head: cheaper than a second write.
 */
const maxJoined = 4096

/** The reply to one HTTP request, sent as a whole or as a stream (RFC 9112 sections 4 and 6). */
export class HttpResponse {
  requestId: string | undefined
  /** When the HTTP request began, in milliseconds of a monotonic clock; the tracker sets it. */
  startedAt = 0
  errorCode: string | undefined
  /** That of the HTTP request. */
  basePath = ''
  readonly #connection: ReplyConnection
  readonly #isHead: boolean
  readonly #isChunked: boolean
  #fields: Map<string, string> | undefined
  #state: 'open' | 'streaming' | 'ended' = 'open'
  #status = 0
  #bytes = 0
  #onEnd: (() => void) | undefined
  onHead: ((status: number) => void) | undefined

  constructor(
    { method, version }: Pick<RequestHead, 'method' | 'version'>,
    connection: ReplyConnection,
  ) {
    this.#isHead = method === 'HEAD'
    this.#isChunked = version === '1.1'
    this.#connection = connection
  }

  get headersSent(): boolean {
    return this.#state !== 'open'
  }

  /** Status of the HTTP reply, or 0 before it was begun. */
  get status(): number {
    return this.#status
  }

  /** Bytes of the reply's body that were written so far, without the framing of chunks. */
  get bytes(): number {
    return this.#bytes
  }

  get remoteAddress(): string {
    return this.#connection.socket.remoteAddress ?? ''
  }

  /** Calls `run` once: when the HTTP reply is sent, or its connection closes before. */
  onEnd(run: () => void): void {
    this.#onEnd = run
  }

  onConnectionClose(): void {
    this.#state = 'ended'
    this.#onEnd?.()
    this.#onEnd = undefined
  }

  /**
   * Sets a header field of the reply and replaces one of the same name. Throws `TypeError` for an
   * invalid one.
   */
  setHeader(name: string, value: string | number): this {
    this.#fields ??= new Map()
    this.#fields.set(name.toLowerCase(), formatField(name, String(value)))
    return this
  }

  /** Adds a header line to those of the same name. Throws `TypeError` for an invalid one. */
  appendHeader(name: string, value: string): this {
    this.#fields ??= new Map()
    const key = name.toLowerCase()
    this.#fields.set(key, (this.#fields.get(key) ?? '') + formatField(name, value))
    return this
  }

  sendJson(status: number, json: Json): void {
    const length = typeof json === 'string' ? Buffer.byteLength(json) : json.length
    this.#sendWhole(
      status,
      `Content-Type: ${jsonType}\r\nContent-Length: ${length}\r\n`,
      json,
      length,
    )
  }

  /**
   * Sends a whole HTTP reply with its length; `fields` replace those set before. The length is left
   * out for HEAD without a body, because it would be that of GET (RFC 9110 section 8.6).
   */
  send(status: number, fields: ReplyFields = {}, body: string | Buffer = ''): void {
    for (const [name, value] of Object.entries(fields)) this.setHeader(name, value)
    const length = Buffer.byteLength(body)
    const isUnknown = this.#isHead && length === 0
    const hasLength = status >= 200 && status !== 204 && status !== 304 && !isUnknown
    this.#sendWhole(
      status,
      hasLength ? `Content-Length: ${length}\r\n` : '',
      hasLength ? body : '',
      length,
    )
  }

  /** Begins an HTTP reply of unknown length, the last one on its connection. */
  startStream(status: number, fields: ReplyFields): void {
    if (this.#state !== 'open') return
    for (const [name, value] of Object.entries(fields)) this.setHeader(name, value)
    this.#state = 'streaming'
    const coding = this.#isChunked ? 'Transfer-Encoding: chunked\r\n' : ''
    this.#write(this.#formatHead(status, coding, true), 'latin1')
  }

  /**
   * Writes to a streamed HTTP reply. If it returns false, wait for `drained` before the next part.
   */
  write(text: string): boolean {
    if (this.#state !== 'streaming') return false
    const length = Buffer.byteLength(text)
    this.#bytes += length
    if (!this.#isChunked) return this.#write(text, 'utf8')
    return this.#write(`${length.toString(16)}\r\n${text}\r\n`, 'utf8')
  }

  /**
   * Resolves to true when the streamed reply is written, and to false if the connection closes
   * before.
   */
  async drained(): Promise<boolean> {
    const { socket } = this.#connection
    while (socket.writableNeedDrain && !socket.destroyed) {
      await new Promise<void>(resolve => {
        const settle = (): void => {
          socket.off('drain', settle).off('close', settle)
          resolve()
        }
        socket.on('drain', settle).on('close', settle)
      })
    }
    return !socket.destroyed
  }

  endStream(): void {
    if (this.#state !== 'streaming') return
    if (this.#isChunked) this.#write('0\r\n\r\n', 'latin1')
    this.#end(true)
  }

  destroy(): void {
    if (this.#state !== 'ended') this.#connection.socket.destroy()
  }

  reset(): void {
    this.#connection.socket.resetAndDestroy()
  }

  #write(bytes: string | Buffer, encoding?: BufferEncoding): boolean {
    const { socket } = this.#connection
    if (!socket.writable) return false
    if (socket.write(bytes, encoding)) return true
    this.#connection.onBackpressure()
    return false
  }

  #sendWhole(status: number, fields: string, body: string | Buffer, length: number): void {
    if (this.#state !== 'open') return
    const closes = this.#connection.isLastReply
    const head = this.#formatHead(status, fields, closes)
    const content = this.#isHead ? '' : body
    if (typeof content === 'string') {
      this.#write(head + content, length === body.length ? 'latin1' : 'utf8')
    } else if (length <= maxJoined) {
      this.#write(head + content.toString('latin1'), 'latin1')
    } else {
      this.#write(head, 'latin1')
      this.#write(content)
    }
    this.#bytes = this.#isHead ? 0 : length
    this.#end(closes)
  }

  #formatHead(status: number, fields: string, closes: boolean): string {
    this.#status = status
    const id = this.requestId === undefined ? '' : `X-Request-Id: ${this.requestId}\r\n`
    this.onHead?.(status)
    const own = this.#fields === undefined ? '' : [...this.#fields.values()].join('')
    const connection = closes ? 'Connection: close\r\n' : this.#connection.keepAliveFields
    return (
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${own}${fields}` +
      `${id}Date: ${formatHttpDate()}\r\n${connection}\r\n`
    )
  }

  #end(closes: boolean): void {
    this.#state = 'ended'
    this.#onEnd?.()
    this.#onEnd = undefined
    this.#connection.onReplyEnd(this, closes)
  }
}

function formatField(name: string, value: string): string {
  validateHeaderName(name)
  validateHeaderValue(name, value)
  return `${name}: ${value}\r\n`
}

let currentDate: string | undefined

/** The time now as the value of `Date` (RFC 9110 section 5.6.7), computed once a second. */
function formatHttpDate(): string {
  if (currentDate === undefined) {
    const now = new Date()
    currentDate = now.toUTCString()
    const forget = (): void => {
      currentDate = undefined
    }
    setTimeout(forget, 1000 - now.getMilliseconds()).unref()
  }
  return currentDate
}
