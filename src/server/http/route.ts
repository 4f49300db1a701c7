import type { Router } from 'express'
import { RelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse, Json } from '../../net/server/http-response.js'
import type { RouteHandler } from './exchange.js'
import { type AnswerRequest, mountHandler } from './express-app.js'

/** The methods of each path under `/api/1`. */
export type Routes = Readonly<Record<string, Readonly<Record<string, RouteHandler>>>>

/** A route that needs no token. It resolves like a {@link RouteHandler}. */
export type PublicRouteHandler = (
  request: HttpRequest,
  response: HttpResponse,
) => Promise<Json | undefined>

/** The methods of each path outside `/api/1`. */
export type PublicRoutes = Readonly<Record<string, Readonly<Record<string, PublicRouteHandler>>>>

/** Sends an error in place of the error handler of the application. */
export type SendError = (
  error: unknown,
  request: HttpRequest,
  response: HttpResponse,
) => Promise<void>

/**
 * Mounts routes on an Express application. A path without a route for the method of a request is
 * `method_not_allowed` with `Allow` (RFC 9110 section 15.5.6); HEAD is answered as GET.
 */
export function mountRoutes(router: Router, routes: PublicRoutes, sendError?: SendError): void {
  for (const [path, methods] of Object.entries(routes)) {
    const handlers = new Map(Object.entries(methods))
    const allow = formatAllow(methods)
    const answer: AnswerRequest = async (request, response) => {
      const handler = handlers.get(request.method === 'HEAD' ? 'GET' : request.method)
      if (handler === undefined) throw methodNotAllowedError(request, response, allow)
      const json = await handler(request, response)
      if (json !== undefined) response.sendJson(200, json)
    }
    mountHandler(router, path, sendError === undefined ? answer : catchErrors(answer, sendError))
  }
}

function catchErrors(answer: AnswerRequest, sendError: SendError): AnswerRequest {
  return async (request, response) => {
    try {
      await answer(request, response)
    } catch (error) {
      await sendError(error, request, response)
    }
  }
}

function formatAllow(methods: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(methods)
  return (names.includes('GET') ? ['HEAD', ...names] : names).join(', ')
}

function methodNotAllowedError(
  { method }: HttpRequest,
  response: HttpResponse,
  allow: string,
): RelayError {
  response.setHeader('Allow', allow)
  return new RelayError(
    'method_not_allowed',
    `${method} is not possible here; this path knows ${allow}.`,
  )
}
