import type { Express, Request, Response } from 'express'
import { RelayError } from '../errors.js'
import { type Handler, type Json, sendJson } from './exchange.js'

/** The methods of each path under `/api/1`. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Handler>>>>

/** A route that needs no token. */
export type OpenHandler = (request: Request, response: Response) => Promise<Json>

/** The methods of each path outside `/api/1`. */
export type OpenRoutes = Readonly<Record<string, Readonly<Record<string, OpenHandler>>>>

/**
 * Adds paths to an app. A path that is there but not for that method is `method_not_allowed` with
 * `Allow` (RFC 9110 section 15.5.6); HEAD is answered as GET.
 */
export function addRoutes(app: Express, routes: OpenRoutes): void {
  for (const [path, methods] of Object.entries(routes)) {
    const allow = allowed(methods)
    app.route(path).all(async (request, response) => {
      const method = request.method === 'HEAD' ? 'GET' : request.method
      const handler = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (handler === undefined) refuse(request, response, allow)
      else sendJson(response, 200, await handler(request, response))
    })
  }
}

function allowed(methods: Readonly<Record<string, OpenHandler>>): string {
  const names = Object.keys(methods)
  return (names.includes('GET') ? ['HEAD', ...names] : names).join(', ')
}

function refuse(request: Request, response: Response, allow: string): void {
  response.setHeader('Allow', allow)
  throw new RelayError(
    'method_not_allowed',
    `${request.method} is not possible here; this path knows ${allow}.`,
  )
}
