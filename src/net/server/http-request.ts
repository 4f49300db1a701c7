import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { type ParsedUrlQuery, parse } from 'node:querystring'
import type { PlainHead } from './plain-head.js'
import type { Params } from './routed-request.js'

/** A request that is there as a whole, head and body. */
export class WholeRequest {
  readonly method: string
  /** The request target, in origin-form. */
  readonly url: string
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly socket: Socket
  readonly body: Buffer
  /** Set by the route. */
  declare params: Params

  constructor({ method, target, headers }: PlainHead, body: Buffer, socket: Socket) {
    this.method = method
    this.url = target
    this.headers = headers
    this.body = body
    this.socket = socket
  }

  /** The path it was sent to, without the query. */
  get path(): string {
    const at = this.url.indexOf('?')
    return at === -1 ? this.url : this.url.slice(0, at)
  }

  /** The fields of its query; each is an array when it was given more than once. */
  get query(): ParsedUrlQuery {
    const at = this.url.indexOf('?')
    return at === -1 ? {} : parse(this.url.slice(at + 1))
  }
}
