import { HttpResponse, type ReplyConnection } from './http-response.js'
import { type BodySource, IncomingBody, noBody } from './incoming-body.js'
import { RequestError } from './request-error.js'
import type { RequestHead } from './request-head.js'
import type { RequestParser } from './request-parser.js'

/** A request in progress, until its body was read and its reply was written. */
export class HttpExchange {
  readonly head: RequestHead
  readonly body: IncomingBody
  readonly response: HttpResponse
  /** Whether the reply was written. */
  isReplied = false
  /** Whether the body was read to its end. */
  isBodyRead = false
  /** Whether the client still waits for `100 Continue`. */
  awaitsContinue: boolean
  /** Why the body will never be complete. */
  error: RequestError | undefined

  constructor(head: RequestHead, connection: ReplyConnection & BodySource) {
    this.head = head
    this.body = head.fields.body === 0 ? noBody : new IncomingBody(connection)
    this.response = new HttpResponse(head, connection)
    this.awaitsContinue = head.fields.expectsContinue
  }

  get isDone(): boolean {
    return this.isReplied && this.isBodyRead
  }

  /** Whether no further request can follow on the connection. */
  get isLast(): boolean {
    return !this.head.fields.isKeptAlive || this.awaitsContinue || this.error !== undefined
  }

  /**
   * Reads what has arrived of the body.
   *
   * @param hasEnded whether nothing more will arrive
   * @throws RequestError if the body is invalid or breaks off
   */
  readBody(parser: RequestParser, hasEnded: boolean): void {
    if (this.isBodyRead || this.error !== undefined) return
    while (!parser.isBodyRead && this.body.canReceive) {
      const bytes = parser.readBody()
      if (bytes !== undefined) {
        this.awaitsContinue = false
        this.body.receive(bytes)
      } else if (!parser.isBodyRead) {
        if (hasEnded) throw new RequestError(400, 'The body broke off.')
        return
      }
    }
    if (!parser.isBodyRead) return
    this.isBodyRead = true
    this.awaitsContinue = false
    this.body.end()
  }
}
