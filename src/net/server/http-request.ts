import type { Socket } from 'node:net'
import { type FieldSection, type RequestHeaders, splitFieldLines } from './field-section.js'
import type { RequestHead } from './request-head.js'

export interface RequestConnection {
  readonly socket: Socket
  readonly signal: AbortSignal
}

export interface RequestBody {
  readonly arrived: Buffer | undefined
  read(maxBytes: number): Promise<Buffer | undefined>
}

export type RequestMetadata = Pick<HttpRequest, 'headers' | 'remoteAddress'>

export class HttpRequest {
  readonly method: string
  /** Path and query of the HTTP request, or `*`. Express may change it. */
  url: string
  /** The values of the parameters in the path of the HTTP request; Express sets them. */
  declare params: Readonly<Record<string, string | string[]>>
  declare route?: { readonly path: string }
  /** Path of the public address, such as `/sms`, which `url` no longer has; empty without one. */
  basePath = ''
  account: string | undefined
  /** Milliseconds for which the handler waited because the HTTP request asked for that. */
  waited = 0
  readonly #fields: FieldSection
  readonly #body: RequestBody
  readonly #connection: RequestConnection

  constructor(head: RequestHead, body: RequestBody, connection: RequestConnection) {
    this.method = head.method
    this.url = head.target
    this.#fields = head.fields
    this.#body = body
    this.#connection = connection
  }

  get headers(): RequestHeaders {
    return this.#fields.headers
  }

  get path(): string {
    const at = this.url.indexOf('?')
    return at === -1 ? this.url : this.url.slice(0, at)
  }

  /** The query of the request without its `?`, as the client encoded it. */
  get query(): string {
    const at = this.url.indexOf('?')
    return at === -1 ? '' : this.url.slice(at + 1)
  }

  /** Names and values of the request's header fields in turn, as the client sent them. */
  get rawHeaders(): string[] {
    return splitFieldLines(this.#fields.lines)
  }

  /** IP address of the client, or of the proxy in front of it. */
  get remoteAddress(): string {
    return this.#connection.socket.remoteAddress ?? ''
  }

  get isClosed(): boolean {
    return this.#connection.socket.destroyed
  }

  /**
   * Aborted when the client ends its side of the connection: it may still read the reply, or be
   * gone. A handler stops waiting for something to happen then, and answers with what there is.
   */
  get signal(): AbortSignal {
    return this.#connection.signal
  }

  /** The request's body, if all of it has arrived: most do with their head, and need no promise. */
  get arrivedBody(): Buffer | undefined {
    return this.#body.arrived
  }

  /**
   * Resolves to the request's body; undefined if it has more than `maxBytes`. If it is invalid or
   * breaks off, the connection sends the reply itself.
   * @throws RequestError
   */
  async readBody(maxBytes: number): Promise<Buffer | undefined> {
    return await this.#body.read(maxBytes)
  }
}
