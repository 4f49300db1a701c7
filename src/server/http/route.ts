import { RelayError } from '../../errors.js'
import { WholeReply } from '../../net/server/http-response.js'
import type { Json } from '../../net/server/json-body.js'
import type { AnyWay, Reply, RoutedRequest } from '../../net/server/routed-request.js'
import { type RouteHandler, sendJson } from './exchange.js'
import { RouteTable } from './route-table.js'

/** The methods of each path under `/api/1`. */
export type Routes = Readonly<Record<string, Readonly<Record<string, RouteHandler>>>>

/** A route that needs no token; for what it answers see {@link Handler}. */
export type PublicRouteHandler<W extends AnyWay = AnyWay> = (
  request: W['request'],
  response: W['response'],
) => Promise<Json | undefined>

/** The methods of each path outside `/api/1`. */
export type PublicRoutes<W extends AnyWay = AnyWay> = Readonly<
  Record<string, Readonly<Record<string, PublicRouteHandler<W>>>>
>

/** A layer as Express knows it: `next` takes what is not for it, with an error what failed in it. */
export type Middleware<W extends AnyWay = AnyWay> = (
  request: W['request'],
  response: W['response'],
  next: (error?: unknown) => void,
) => Promise<void>

interface RouteMethods<W extends AnyWay> {
  readonly methods: ReadonlyMap<string, PublicRouteHandler<W>>
  readonly allow: string
}

/**
 * Answers requests for the paths it knows. A path that is there but not for that method is
 * `method_not_allowed` with `Allow` (RFC 9110 section 15.5.6); HEAD is answered as GET.
 */
export function mountRoutes<W extends AnyWay = AnyWay>(routes: PublicRoutes<W>): Middleware<W> {
  const table = new RouteTable<RouteMethods<W>>()
  for (const [path, methods] of Object.entries(routes)) {
    table.add(path, { methods: new Map(Object.entries(methods)), allow: formatAllow(methods) })
  }
  return async (request, response, next) => {
    try {
      const found = table.find(request.path)
      if (found === undefined) return next()
      request.params = found.params
      const handler = findHandler(found.route, request, response)
      const json = await handler(request, response)
      if (json !== undefined) sendJson(response, 200, json)
      else if (response instanceof WholeReply) next()
    } catch (error) {
      next(error)
    }
  }
}

function findHandler<W extends AnyWay>(
  place: RouteMethods<W>,
  request: W['request'],
  response: W['response'],
): PublicRouteHandler<W> {
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '')
  return place.methods.get(method) ?? rejectMethod(request, response, place.allow)
}

function formatAllow(methods: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(methods)
  return (names.includes('GET') ? ['HEAD', ...names] : names).join(', ')
}

function rejectMethod(request: RoutedRequest, response: Reply, allow: string): never {
  response.setHeader('Allow', allow)
  throw new RelayError(
    'method_not_allowed',
    `${request.method} is not possible here; this path knows ${allow}.`,
  )
}
