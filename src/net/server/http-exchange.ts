import type { ConnectionLimits } from './connection-limits.js'
import { HttpRequest, type RequestConnection } from './http-request.js'
import { HttpResponse, type ReplyConnection } from './http-response.js'
import { RequestError } from './request-error.js'
import type { RequestHead } from './request-head.js'
import { ByteQueue, type RequestParser } from './request-parser.js'
import type { RequestTracker } from './request-tracker.js'

/** Bytes of a request's body that the server reads before the handler needs the body. */
const maxUnread = 64 * 1024

interface Reader {
  readonly resolve: (bytes: Buffer | undefined) => void
  readonly reject: (error: RequestError) => void
}

export interface BodySource {
  needBody(): void
}

class IncomingBody {
  readonly #bytes = new ByteQueue()
  readonly #source: BodySource
  #state: 'arriving' | 'complete' | 'discarded' = 'arriving'
  #maxBytes = Number.POSITIVE_INFINITY
  #reader: Reader | undefined
  #error: RequestError | undefined

  constructor(source: BodySource) {
    this.#source = source
  }

  get isAwaited(): boolean {
    return this.#reader !== undefined
  }

  get arrived(): Buffer | undefined {
    return this.#state === 'complete' ? this.#bytes.peek() : undefined
  }

  get canReceive(): boolean {
    return this.isAwaited || this.#state === 'discarded' || this.#bytes.length < maxUnread
  }

  receive(bytes: Buffer): void {
    if (this.#state !== 'arriving') return
    this.#bytes.append(bytes)
    if (this.#bytes.length > this.#maxBytes) this.discard()
  }

  end(): void {
    if (this.#state !== 'arriving') return
    this.#state = 'complete'
    this.#takeReader()?.resolve(this.#bytes.peek())
  }

  fail(error: RequestError): void {
    if (this.#state !== 'arriving') return
    this.#error ??= error
    this.#takeReader()?.reject(this.#error)
  }

  discard(): void {
    if (this.#state !== 'arriving') return
    this.#state = 'discarded'
    this.#bytes.skip(this.#bytes.length)
    this.#takeReader()?.resolve(undefined)
  }

  /**
   * Reads the HTTP request's body; resolves to undefined if it has more than `maxBytes`. Rejects
   * with a `RequestError` if it is invalid or breaks off.
   */
  read(maxBytes: number): Promise<Buffer | undefined> {
    const isTooLong = this.#bytes.length > maxBytes
    if (isTooLong) this.discard()
    if (isTooLong || this.#state === 'discarded') return Promise.resolve(undefined)
    if (this.#state === 'complete') return Promise.resolve(this.#bytes.peek())
    this.#maxBytes = maxBytes
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject }
      this.#source.needBody()
      if (this.#error !== undefined) this.fail(this.#error)
    })
  }

  #takeReader(): Reader | undefined {
    const reader = this.#reader
    this.#reader = undefined
    return reader
  }
}

const noBody: IncomingBody = new IncomingBody({ needBody: () => {} })
noBody.end()

export class HttpExchange {
  readonly head: RequestHead
  readonly body: IncomingBody
  readonly request: HttpRequest
  readonly response: HttpResponse
  isReplied = false
  isBodyRead = false
  awaitsContinue: boolean
  /** Why the request's body will never be complete. */
  error: RequestError | undefined
  /**
   * When {@link isBodyLate} began to count, in milliseconds, and the bytes of the HTTP body since.
   */
  #countedSince: number | undefined
  #received = 0

  constructor(
    head: RequestHead,
    connection: RequestConnection & ReplyConnection & BodySource,
    tracker: RequestTracker | undefined,
  ) {
    this.head = head
    this.body = head.fields.body === 0 ? noBody : new IncomingBody(connection)
    this.request = new HttpRequest(head, this.body, connection)
    this.response = new HttpResponse(head, connection)
    this.awaitsContinue = head.fields.expectsContinue
    tracker?.begin(this.response, head.fields.headers)
  }

  get isDone(): boolean {
    return this.isReplied && this.isBodyRead
  }

  get isLast(): boolean {
    return !this.head.fields.isKeptAlive || this.awaitsContinue || this.error !== undefined
  }

  abandon(tracker: RequestTracker | undefined): void {
    this.body.fail(new RequestError(400, 'The connection was closed.'))
    this.response.onConnectionClose()
    if (!this.isReplied) tracker?.end(this.response, false, this.request)
  }

  /**
   * Whether the client sends the body too slowly: it has `bodyTimeout`, and another second for each
   * `bodyRate` bytes that arrive. The time while the server does not read the body is not counted.
   */
  isBodyLate(now: number, limits: Pick<ConnectionLimits, 'bodyTimeout' | 'bodyRate'>): boolean {
    const isWanted = !this.isBodyRead && !this.awaitsContinue && this.body.canReceive
    if (!isWanted || this.#countedSince === undefined) {
      this.#countedSince = now
      this.#received = 0
    }
    const allowed = limits.bodyTimeout + (1000 * this.#received) / limits.bodyRate
    return isWanted && now - this.#countedSince >= allowed
  }

  /**
   * Reads what has arrived of the request's body.
   * @param hasEnded whether nothing more will arrive
   * @throws RequestError if the body is invalid or breaks off
   */
  readBody(parser: RequestParser, hasEnded: boolean): void {
    if (this.isBodyRead || this.error !== undefined) return
    while (!parser.isBodyRead && this.body.canReceive) {
      const bytes = parser.readBody()
      if (bytes !== undefined) {
        this.awaitsContinue = false
        this.#received += bytes.length
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
