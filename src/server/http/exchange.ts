import { WholeReply } from '../../net/server/http-response.js'
import { type Json, jsonBody, jsonType } from '../../net/server/json-body.js'
import type { Reply, RoutedRequest } from '../../net/server/routed-request.js'
import type { Caller } from '../services/accounts/token-service.js'

/**
 * What a route answers; undefined says that it has taken a response of node's over, and ends it itself, or that it
 * needs such a one and has done nothing yet.
 */
export type RouteHandler = (exchange: RequestContext) => Promise<Json | undefined>

/** One request with what the layers before the route found out about it. */
export interface RequestContext {
  readonly request: RoutedRequest
  readonly response: Reply
  /** Who asks. */
  readonly caller: Caller
  /** Base address for links. */
  readonly base: string
}

/** Sends a JSON body with its length. */
export function sendJson(response: Reply, status: number, json: Json): void {
  if (response instanceof WholeReply) {
    response.sendJson(status, json)
    return
  }
  const { length, content, encoding } = jsonBody(json)
  response.writeHead(status, { 'Content-Type': jsonType, 'Content-Length': length })
  response.end(content, encoding)
}

/** Keeps a reply that holds a secret out of caches (RFC 9111 section 5.2.2.5). */
export function setNoStore(response: Reply): void {
  response.setHeader('Cache-Control', 'no-store')
}

/** The value of a path parameter. */
export function getParam(request: RoutedRequest, name: string): string {
  const value = request.params[name]
  return typeof value === 'string' ? value : ''
}
