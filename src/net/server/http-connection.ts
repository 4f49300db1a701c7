import type { Socket } from 'node:net'
import { isInHandshake } from '../tls/tls-connection.js'
import type { ConnectionLimits } from './connection-limits.js'
import { type ExchangeConnection, type ExchangeOptions, HttpExchange } from './http-exchange.js'
import type { HttpRequest } from './http-request.js'
import type { HttpResponse } from './http-response.js'
import type { LongReplies, ReplyingConnection } from './long-replies.js'
import { RequestError, timeoutError } from './request-error.js'
import type { RequestHead } from './request-head.js'
import { RequestParser } from './request-parser.js'
import { beginRefusal, refuse, type SendRefusal } from './request-tracker.js'

/** Answers an HTTP request: now or later it sends one reply. It must not throw. */
export type RequestHandler = (request: HttpRequest, response: HttpResponse) => void

export interface ConnectionOptions extends ExchangeOptions {
  readonly handler: RequestHandler
  readonly limits: ConnectionLimits
  readonly longReplies: LongReplies
  readonly sendRefusal: SendRefusal
  readonly keepAliveFields: string
}

/** Bytes of later HTTP requests that are buffered before reading from the connection pauses. */
const maxBuffered = 16 * 1024
/** An idle connection stays open this much longer than announced: a request may be on its way. */
const idleMargin = 1000
/** How long a closed connection reads on, for the last reply to arrive (RFC 9112 section 9.6). */
const lingerTime = 1000

export class HttpConnection implements ExchangeConnection, ReplyingConnection {
  readonly socket: Socket
  hasAnswered = false
  hasLongReplies = false
  readonly #options: ConnectionOptions
  readonly #parser: RequestParser
  #exchange: HttpExchange | undefined
  /** When `checkTimeouts` first saw this phase of the HTTP connection: a request, or the wait. */
  #since: number | undefined
  #isHeadBegun = false
  /** Whether bytes arrived after the last request: of its successor, or empty lines before it. */
  #hasReceived = false
  #isAdvancing = false
  #isDraining = false
  #isClosing = false
  #hasClientEnded = false
  #abort: AbortController | undefined

  constructor(socket: Socket, options: ConnectionOptions) {
    this.socket = socket
    this.#options = options
    this.#parser = new RequestParser(options.limits.head)
    socket.on('data', chunk => this.#receive(chunk))
    socket.on('drain', () => {
      options.longReplies.onWritten(this)
      this.advance()
    })
    socket.on('end', () => this.#onClientEnd())
    socket.on('close', () => this.#onClose())
    // The HTTP connection's event 'close' follows.
    socket.on('error', () => {})
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.#hasClientEnded || this.socket.destroyed) this.#abort.abort()
    return this.#abort.signal
  }

  get keepAliveFields(): string {
    return this.#options.keepAliveFields
  }

  get isLastReply(): boolean {
    return this.#isDraining || this.#exchange === undefined || this.#exchange.isLast
  }

  onReplyEnd(response: HttpResponse, closes: boolean): void {
    this.hasAnswered = true
    this.#options.longReplies.onReply(this, response.bytes)
    this.#options.tracker?.end(response, !this.socket.destroyed, this.#exchange?.request)
    this.#exchange?.body.discard()
    if (closes || this.#exchange === undefined) {
      this.#close()
      return
    }
    this.#since = undefined
    this.#exchange.isReplied = true
    this.advance()
  }

  onBackpressure(): void {
    this.#options.longReplies.add(this)
  }

  needBody(): void {
    const exchange = this.#exchange
    if (exchange === undefined) return
    if (exchange.error !== undefined) this.#refuse(exchange.error)
    if (exchange.awaitsContinue) this.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1')
    exchange.awaitsContinue = false
    this.advance()
  }

  advance(): void {
    if (this.#isAdvancing) return
    this.#isAdvancing = true
    let goesOn = true
    while (goesOn && !this.#isClosing) {
      goesOn = this.#exchange === undefined ? this.#begin() : this.#continue(this.#exchange)
    }
    this.#isAdvancing = false
    const { buffered } = this.#parser
    const mustPause = buffered > maxBuffered || (buffered > 0 && this.socket.writableNeedDrain)
    if (mustPause && !this.#isClosing) this.socket.pause()
    else if (this.socket.isPaused()) this.socket.resume()
  }

  /** Lets the HTTP connection end with the reply in progress; an idle one ends now. */
  drain(): void {
    this.#isDraining = true
    if (this.#exchange?.isReplied === true) this.#close()
    else if (this.#exchange === undefined && this.#parser.buffered === 0) this.#closeIdle()
  }

  /** Ends an HTTP connection that exceeds a time limit; the server calls this repeatedly. */
  checkTimeouts(now: number): void {
    const { limits } = this.#options
    this.#since ??= now
    const [age, exchange] = [now - this.#since, this.#exchange]
    const isBodyLate = exchange?.isBodyLate(now, limits) === true
    if (exchange !== undefined && !exchange.isReplied) {
      if (isBodyLate) this.breakBody(exchange, timeoutError())
    } else if (this.socket.writableLength > 0) {
      if (age >= limits.replyTimeout) this.socket.destroy()
    } else if (this.#isClosing) {
      if (age >= lingerTime) this.socket.destroy()
    } else if (exchange !== undefined) {
      if (isBodyLate) this.socket.destroy()
    } else if (this.#isHeadBegun || !this.hasAnswered) {
      if (age >= limits.headTimeout) this.#refuse(timeoutError())
    } else if (age >= limits.idleTimeout + idleMargin) this.#closeIdle()
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosing) return
    if (this.#exchange === undefined) this.#hasReceived = true
    this.#parser.append(chunk)
    this.advance()
  }

  #begin(): boolean {
    if (this.socket.writableNeedDrain || !this.socket.writable) return false
    if (this.#parser.buffered > 0 && !this.#options.longReplies.mayBegin(this)) return false
    let head: RequestHead | undefined
    try {
      head = this.#parser.readHead()
    } catch (error) {
      this.#refuse(error as RequestError)
      return false
    }
    if (head === undefined) {
      this.#waitForHead()
      return false
    }
    const exchange = new HttpExchange(head, this, this.#options)
    this.#exchange = exchange
    this.#readBody(exchange)
    this.#since = undefined
    this.#isHeadBegun = false
    this.#hasReceived = false
    this.#options.handler(exchange.request, exchange.response)
    return true
  }

  #waitForHead(): void {
    const { buffered } = this.#parser
    if (this.#hasClientEnded) {
      if (buffered > 0) this.#refuse(new RequestError(400, 'The request broke off.'))
      else this.#close()
      return
    }
    if (this.#isHeadBegun || !(buffered > 0 || this.#hasReceived)) return
    // The first request of a connection has the time from its begin, or `x` every 9 s would be new.
    if (this.hasAnswered) this.#since = undefined
    this.#isHeadBegun = true
  }

  #continue(exchange: HttpExchange): boolean {
    this.#readBody(exchange)
    if (!exchange.isDone) return false
    this.#exchange = undefined
    this.#since = undefined
    return true
  }

  #readBody(exchange: HttpExchange): void {
    try {
      exchange.readBody(this.#parser, this.#hasClientEnded)
    } catch (error) {
      this.breakBody(exchange, error as RequestError)
    }
  }

  /** A broken request has one reply: the handler's, unless that waits for the body. */
  breakBody(exchange: HttpExchange, error: RequestError): void {
    if (exchange.error !== undefined) return
    exchange.error = error
    const { isAwaited } = exchange.body
    exchange.body.fail(error)
    if (exchange.isReplied) this.#close()
    else if (isAwaited) this.#refuse(error)
  }

  #refuse(error: RequestError): void {
    if (isInHandshake(this.socket)) return void this.socket.destroy()
    const response = this.#exchange?.response ?? beginRefusal(this, this.#options.tracker)
    refuse(response, error, this.#options.sendRefusal)
  }

  #onClientEnd(): void {
    this.#hasClientEnded = true
    this.#abort?.abort()
    this.advance()
  }

  #onClose(): void {
    this.#options.longReplies.onClose(this)
    this.#abort?.abort()
    this.#exchange?.abandon()
  }

  #closeIdle(): void {
    this.#isClosing = true
    if (isInHandshake(this.socket)) this.socket.destroy()
    this.socket.destroySoon()
  }

  /** Ends the HTTP server's side, and reads on for a moment: else the last reply could be lost. */
  #close(): void {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#since = undefined
    this.#exchange = undefined
    this.socket.end(() => {
      this.#since = undefined
    })
    this.socket.resume()
  }
}
