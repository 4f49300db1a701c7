import type { ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import type { Caller } from '../services/tokens.js'

/** A JSON body: its text, or its bytes in UTF-8. */
export type Json = string | Buffer

/** What a route answers; undefined when it has sent the reply itself. */
export type Handler = (exchange: Exchange) => Promise<Json | undefined>

/** One request with what the layers before the route found out about it. */
export interface Exchange {
  readonly request: Request
  readonly response: Response
  /** Who asks. */
  readonly caller: Caller
  /** Base address for links. */
  readonly base: string
}

/** Up to this length, in bytes, putting a body behind its head costs less than a second piece to write. */
const longestInOnePiece = 4096

/** Sends a JSON body with its length. */
export function sendJson(response: ServerResponse, status: number, json: Json): void {
  const length = Buffer.byteLength(json)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': length,
  })
  if (typeof json === 'string') response.end(json, length === json.length ? 'latin1' : 'utf8')
  else if (length > longestInOnePiece) response.end(json)
  else response.end(json.toString('latin1'), 'latin1')
}

/** The value of a path parameter. */
export function param(request: Request, name: string): string {
  const value = request.params[name]
  return typeof value === 'string' ? value : ''
}
