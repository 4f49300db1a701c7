import { IncomingMessage } from 'node:http'
import { type ParsedUrlQuery, parse } from 'node:querystring'

/** The values of the parameters in a path. */
export type Params = Readonly<Record<string, string | string[]>>

/** A request as routes see it; those of Express are such ones too. */
export interface RoutedRequest extends IncomingMessage {
  /** The path it was sent to, without the query. */
  readonly path: string
  /** The fields of its query; each is an array when it was given more than once. */
  readonly query: ParsedUrlQuery
  params: Params
}

/** Path, query and fragment of a request target, in origin-form or absolute-form (RFC 9112 section 3.2). */
const target = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i

/** A request of a server of ours, with what routes need beyond node's own. */
export class RelayRequest extends IncomingMessage implements RoutedRequest {
  /** Set by the route: a field with a value of its own would be paid for by every request. */
  declare params: Params

  get path(): string {
    return target.exec(this.url ?? '')?.[1] || '/'
  }

  get query(): ParsedUrlQuery {
    return parse(target.exec(this.url ?? '')?.[2] ?? '')
  }
}
