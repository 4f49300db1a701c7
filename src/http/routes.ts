import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { RelayError } from '../errors.js'
import { type Handler, type Json, sendJson } from './exchange.js'
import { RouteTable } from './route-table.js'

/** The methods of each path under `/api/1`. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Handler>>>>

/** A route that needs no token. */
export type OpenHandler = (request: Request, response: Response) => Promise<Json | undefined>

/** The methods of each path outside `/api/1`. */
export type OpenRoutes = Readonly<Record<string, Readonly<Record<string, OpenHandler>>>>

interface Place {
  readonly methods: ReadonlyMap<string, OpenHandler>
  readonly allow: string
}

/**
 * Answers requests for the paths it knows. A path that is there but not for that method is
 * `method_not_allowed` with `Allow` (RFC 9110 section 15.5.6); HEAD is answered as GET.
 */
export function routing(routes: OpenRoutes): RequestHandler {
  const table = new RouteTable<Place>()
  for (const [path, methods] of Object.entries(routes)) {
    table.add(path, { methods: new Map(Object.entries(methods)), allow: allowed(methods) })
  }
  return (request: Request, response: Response, next: NextFunction): void => {
    const found = table.find(request.path)
    if (found === undefined) {
      next()
      return
    }
    const { methods, allow } = found.route
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const handler = methods.get(method) ?? refuse(request, response, allow)
    request.params = { ...found.params }
    handler(request, response)
      .then(json => json === undefined || sendJson(response, 200, json))
      .catch(next)
  }
}

function allowed(methods: Readonly<Record<string, OpenHandler>>): string {
  const names = Object.keys(methods)
  return (names.includes('GET') ? ['HEAD', ...names] : names).join(', ')
}

function refuse(request: Request, response: Response, allow: string): never {
  response.setHeader('Allow', allow)
  throw new RelayError(
    'method_not_allowed',
    `${request.method} is not possible here; this path knows ${allow}.`,
  )
}
