import type { Socket } from 'node:net'
import { type ParsedUrlQuery, parse } from 'node:querystring'
import { type FieldSection, type RequestHeaders, splitFieldLines } from './field-section.js'
import type { IncomingBody } from './http-exchange.js'
import type { RequestHead } from './request-head.js'

/** What a request knows of its connection. */
export interface RequestConnection {
  readonly socket: Socket
  readonly signal: AbortSignal
}

/** What a request tells about its client. */
export type RequestMetadata = Pick<HttpRequest, 'headers' | 'remoteAddress'>

/** A request as its handler sees it; the body may still be arriving. */
export class HttpRequest {
  readonly method: string
  /** Path and query, or `*`. Express may change it. */
  url: string
  /** The values of the parameters in the path; Express sets them. */
  declare params: Readonly<Record<string, string | string[]>>
  readonly #fields: FieldSection
  readonly #body: IncomingBody
  readonly #connection: RequestConnection

  constructor(head: RequestHead, body: IncomingBody, connection: RequestConnection) {
    this.method = head.method
    this.url = head.target
    this.#fields = head.fields
    this.#body = body
    this.#connection = connection
  }

  get headers(): RequestHeaders {
    return this.#fields.headers
  }

  /** The path without the query, as it was sent. */
  get path(): string {
    const at = this.url.indexOf('?')
    return at === -1 ? this.url : this.url.slice(0, at)
  }

  /** The fields of the query; each is an array if it was sent more than once. */
  get query(): ParsedUrlQuery {
    const at = this.url.indexOf('?')
    return at === -1 ? {} : parse(this.url.slice(at + 1))
  }

  /** Names and values of the header fields in turn, as they were sent. */
  get rawHeaders(): string[] {
    return splitFieldLines(this.#fields.lines)
  }

  /** The address of the client, or of the proxy in front of it. */
  get remoteAddress(): string {
    return this.#connection.socket.remoteAddress ?? ''
  }

  /** Whether the connection is closed, so that no reply reaches the client. */
  get isClosed(): boolean {
    return this.#connection.socket.destroyed
  }

  /** Aborted when the client ends its side: it may still wait for the reply, or be gone. */
  get signal(): AbortSignal {
    return this.#connection.signal
  }

  /** The body, if all of it has arrived: most do with their head, and need no promise. */
  get arrivedBody(): Buffer | undefined {
    return this.#body.arrived
  }

  /**
   * Resolves to the body; undefined if it has more than `maxBytes`. If it is invalid or breaks off,
   * the connection sends the reply itself.
   *
   * @throws RequestError
   */
  async readBody(maxBytes: number): Promise<Buffer | undefined> {
    return await this.#body.read(maxBytes)
  }
}
