import type { Caller } from '../services/tokens.js'
import { WholeReply } from './fast-path/whole-reply.js'
import type { Reply, RoutedRequest } from './routed-request.js'

/** A JSON body: its text, or its bytes in UTF-8. */
export type Json = string | Buffer

/**
 * What a route answers; undefined says that it has taken a response of node's over, and ends it itself, or that it
 * needs such a one and has done nothing yet.
 */
export type Handler = (exchange: Exchange) => Promise<Json | undefined>

/** One request with what the layers before the route found out about it. */
export interface Exchange {
  readonly request: RoutedRequest
  readonly response: Reply
  /** Who asks. */
  readonly caller: Caller
  /** Base address for links. */
  readonly base: string
}

/** Up to this length, in bytes, putting a body behind its head costs less than a second piece to write. */
const longestInOnePiece = 4096

/** Sends a JSON body with its length. */
export function sendJson(response: Reply, status: number, json: Json): void {
  if (response instanceof WholeReply) {
    response.sendJson(status, json)
    return
  }
  const length = Buffer.byteLength(json)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': length,
  })
  if (typeof json === 'string') response.end(json, length === json.length ? 'latin1' : 'utf8')
  else if (length > longestInOnePiece) response.end(json)
  else response.end(json.toString('latin1'), 'latin1')
}

/** Keeps a reply that holds a secret out of caches (RFC 9111 section 5.2.2.5). */
export function keepSecret(response: Reply): void {
  response.setHeader('Cache-Control', 'no-store')
}

/** The value of a path parameter. */
export function param(request: RoutedRequest, name: string): string {
  const value = request.params[name]
  return typeof value === 'string' ? value : ''
}
