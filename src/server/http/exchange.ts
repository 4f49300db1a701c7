import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse, Json } from '../../net/server/http-response.js'
import type { Caller } from '../services/accounts/token-service.js'

/** Resolves to the JSON of a reply with status 200; undefined if the handler sends the reply itself. */
export type RouteHandler = (exchange: RequestContext) => Promise<Json | undefined>

/** One request with what the layers before the route found out about it. */
export interface RequestContext {
  readonly request: HttpRequest
  readonly response: HttpResponse
  /** Who asks. */
  readonly caller: Caller
  /** Base address for links. */
  readonly base: string
}

/** Keeps a reply that holds a secret out of caches (RFC 9111 section 5.2.2.5). */
export function setNoStore(response: HttpResponse): void {
  response.setHeader('Cache-Control', 'no-store')
}

/** The value of a path parameter. */
export function getParam(request: HttpRequest, name: string): string {
  const value = request.params[name]
  return typeof value === 'string' ? value : ''
}
