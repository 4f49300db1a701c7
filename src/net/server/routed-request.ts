import { IncomingMessage, type ServerResponse } from 'node:http'
import { type ParsedUrlQuery, parse } from 'node:querystring'
import type { WholeRequest } from './http-request.js'
import type { WholeReply } from './http-response.js'

/** The values of the parameters in a path. */
export type Params = Readonly<Record<string, string | string[]>>

/** A request whose body may still be under way, as routes see it; those of Express are such ones too. */
export interface ArrivingRequest extends IncomingMessage {
  /** The path it was sent to, without the query. */
  readonly path: string
  /** The fields of its query; each is an array when it was given more than once. */
  readonly query: ParsedUrlQuery
  params: Params
}

/** A request as routes see it. */
export type RoutedRequest = ArrivingRequest | WholeRequest

/** What a request tells before its body. */
export type RequestFacts = Pick<WholeRequest, 'headers' | 'socket'>

/** A reply as routes see it. */
export type Reply = ServerResponse | WholeReply

/** A request with its reply, whichever way they go. */
export interface AnyWay {
  readonly request: RoutedRequest
  readonly response: Reply
}

/** A request with its reply that go through node's own HTTP. */
export interface NodeWay extends AnyWay {
  readonly request: ArrivingRequest
  readonly response: ServerResponse
}

/** Path, query and fragment of a request target, in origin-form or absolute-form (RFC 9112 section 3.2). */
const target = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i

/** A request of a server of ours, with what routes need beyond node's own. */
export class RelayRequest extends IncomingMessage implements ArrivingRequest {
  /** Set by the route: a field with a value of its own would be paid for by every request. */
  declare params: Params

  get path(): string {
    return target.exec(this.url ?? '')?.[1] || '/'
  }

  get query(): ParsedUrlQuery {
    return parse(target.exec(this.url ?? '')?.[2] ?? '')
  }
}
