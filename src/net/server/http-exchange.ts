import type { ConnectionLimits } from './connection-limits.js'
import { HttpRequest, type RequestConnection, type RequestMetadata } from './http-request.js'
import { HttpResponse, type ReplyConnection } from './http-response.js'
import { RequestError, tooBusyError } from './request-error.js'
import type { RequestHead } from './request-head.js'
import type { RequestParser } from './request-parser.js'
import type { RequestTracker } from './request-tracker.js'
import type { UnfinishedBodies, UnfinishedBody } from './unfinished-bodies.js'

/** Bytes of a request's body that the server reads before the handler needs the body. */
const maxUnread = 64 * 1024

type BodyLimits = Pick<ConnectionLimits, 'bodyTimeout' | 'bodyTime' | 'bodyRate'>

interface Reader {
  readonly resolve: (bytes: Buffer | undefined) => void
  readonly reject: (error: RequestError) => void
}

export interface BodySource {
  needBody(): void
  /** Learns how many bytes of memory the unfinished body of an HTTP request holds. */
  countBody(bytes: number): void
}

export interface ExchangeConnection extends RequestConnection, ReplyConnection {
  needBody(): void
  breakBody(exchange: HttpExchange, error: RequestError): void
}

export interface ExchangeOptions {
  readonly unfinishedBodies: UnfinishedBodies
  readonly getClient: (request: RequestMetadata) => string
  readonly tracker?: RequestTracker | undefined
}

const slabLength = 64 * 1024

/** The bytes of a body as they arrive. A lone chunk is not copied; others fill slabs. */
class BodyBytes {
  #slabs: Buffer[] = []
  /** Bytes at the end of the last slab that are not filled. */
  #free = 0
  #held = 0

  get length(): number {
    return this.#held - this.#free
  }

  /** Bytes of memory that they take. */
  get held(): number {
    return this.#held
  }

  append(chunk: Buffer): void {
    const isFirst = this.#held === 0
    if (isFirst) this.#add(chunk)
    for (let from = isFirst ? chunk.length : 0; from < chunk.length; ) {
      if (this.#free === 0) this.#add(Buffer.allocUnsafeSlow(slabLength), slabLength)
      const slab = this.#slabs.at(-1) as Buffer
      const copied = chunk.copy(slab, slab.length - this.#free, from)
      this.#free -= copied
      from += copied
    }
  }

  join(): Buffer {
    const [first] = this.#slabs
    if (first !== undefined && this.length === first.length) return first
    const joined = Buffer.concat(this.#slabs, this.length)
    this.clear()
    this.#add(joined)
    return joined
  }

  clear(): void {
    this.#slabs = []
    this.#free = 0
    this.#held = 0
  }

  #add(slab: Buffer, free = 0): void {
    this.#slabs.push(slab)
    this.#held += slab.length
    this.#free = free
  }
}

class IncomingBody {
  /** Bytes of the whole body, if the head of the request has them. */
  readonly #length: number | undefined
  readonly #bytes = new BodyBytes()
  readonly #source: BodySource
  #isCounted = false
  #state: 'arriving' | 'complete' | 'discarded' = 'arriving'
  #maxBytes = Number.POSITIVE_INFINITY
  #reader: Reader | undefined
  #error: RequestError | undefined

  constructor(source: BodySource, length: number | 'chunked') {
    this.#source = source
    this.#length = length === 'chunked' ? undefined : length
  }

  get isAwaited(): boolean {
    return this.#reader !== undefined
  }

  get arrived(): Buffer | undefined {
    return this.#state === 'complete' ? this.#bytes.join() : undefined
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
    this.#count(0)
    this.#takeReader()?.resolve(this.#bytes.join())
  }

  /** Counts what has arrived of a body that is unfinished. */
  count(): void {
    if (this.#state === 'arriving') this.#count(this.#bytes.held)
  }

  fail(error: RequestError): void {
    if (this.#state !== 'arriving') return
    this.#error ??= error
    this.#clear()
    this.#takeReader()?.reject(this.#error)
  }

  discard(): void {
    if (this.#state !== 'arriving') return
    this.#state = 'discarded'
    this.#clear()
    this.#takeReader()?.resolve(undefined)
  }

  /**
   * Reads the HTTP request's body; resolves to undefined if it has more than `maxBytes`. Rejects
   * with a `RequestError` if it is invalid or breaks off.
   */
  read(maxBytes: number): Promise<Buffer | undefined> {
    const isTooLong = (this.#length ?? this.#bytes.length) > maxBytes
    if (isTooLong) this.discard()
    if (isTooLong || this.#state === 'discarded') return Promise.resolve(undefined)
    if (this.#state === 'complete') return Promise.resolve(this.#bytes.join())
    this.#maxBytes = maxBytes
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject }
      this.#source.needBody()
      if (this.#error !== undefined) this.fail(this.#error)
    })
  }

  #clear(): void {
    this.#bytes.clear()
    this.#count(0)
  }

  #count(bytes: number): void {
    if (bytes === 0 && !this.#isCounted) return
    this.#isCounted = bytes > 0
    this.#source.countBody(bytes)
  }

  #takeReader(): Reader | undefined {
    const reader = this.#reader
    this.#reader = undefined
    return reader
  }
}

const noBody: IncomingBody = new IncomingBody({ needBody: () => {}, countBody: () => {} }, 0)
noBody.end()

export class HttpExchange implements BodySource, UnfinishedBody {
  readonly head: RequestHead
  readonly body: IncomingBody
  readonly request: HttpRequest
  readonly response: HttpResponse
  isReplied = false
  isBodyRead = false
  awaitsContinue: boolean
  /** Why the request's body will never be complete. */
  error: RequestError | undefined
  readonly #connection: ExchangeConnection
  readonly #options: ExchangeOptions
  #holders: readonly string[] | undefined
  /**
   * When {@link isBodyLate} began to count, in milliseconds, and the bytes of the HTTP body since.
   */
  #countedSince: number | undefined
  #received = 0

  constructor(head: RequestHead, connection: ExchangeConnection, options: ExchangeOptions) {
    this.head = head
    this.#connection = connection
    this.#options = options
    const { body: length } = head.fields
    this.body = length === 0 ? noBody : new IncomingBody(this, length)
    this.request = new HttpRequest(head, this.body, connection)
    this.response = new HttpResponse(head, connection)
    this.awaitsContinue = head.fields.expectsContinue
    options.tracker?.begin(this.response, head.fields.headers)
  }

  get holders(): readonly string[] {
    this.#holders ??= [`address ${this.#options.getClient(this.request)}`]
    return this.#holders
  }

  needBody(): void {
    const { account } = this.request
    if (account !== undefined) this.#holders = [...this.holders, `account ${account}`]
    this.#connection.needBody()
  }

  countBody(bytes: number): void {
    this.#options.unfinishedBodies.set(this, bytes)
  }

  refuse(): void {
    this.#connection.breakBody(
      this,
      tooBusyError('Too many bytes of request bodies have arrived that are not complete.'),
    )
  }

  get isDone(): boolean {
    return this.isReplied && this.isBodyRead
  }

  get isLast(): boolean {
    return !this.head.fields.isKeptAlive || this.awaitsContinue || this.error !== undefined
  }

  abandon(): void {
    this.body.fail(new RequestError(400, 'The connection was closed.'))
    this.response.onConnectionClose()
    if (!this.isReplied) this.#options.tracker?.end(this.response, false, this.request)
  }

  /**
   * Whether the client sends the body too slowly: it has `bodyTimeout`, and another second for each
   * `bodyRate` bytes that arrive, but at most `bodyTime`. The time while the server does not read
   * the body is not counted.
   */
  isBodyLate(now: number, limits: BodyLimits): boolean {
    const isWanted = !this.isBodyRead && !this.awaitsContinue && this.body.canReceive
    if (!isWanted || this.#countedSince === undefined) {
      this.#countedSince = now
      this.#received = 0
    }
    const { bodyTimeout, bodyTime, bodyRate } = limits
    const earned = bodyTimeout + (1000 * this.#received) / bodyRate
    const allowed = Math.min(earned, Math.max(bodyTime, bodyTimeout))
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
        break
      }
    }
    if (!parser.isBodyRead) {
      this.body.count()
      return
    }
    this.isBodyRead = true
    this.awaitsContinue = false
    this.body.end()
  }
}
