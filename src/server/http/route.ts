// The path of a request through the server:
//
// 1. net/server reads the request; express-app.ts passes it to the Express router.
// 2. Express calls the first handler whose path matches (mountRoutes below). Routes come from
//    server/api, server/secret-url and server/dashboard.
// 3. An API route authenticates the caller (authenticate.ts); others do this themselves.
// 4. The handler reads the body (request-body.ts, which uses form-body.ts and multipart-body.ts)
//    and header fields (request-headers.ts), and resolves to the JSON of the reply.
// 5. An error becomes a reply in http-errors.ts.
//
// server-context.ts has the services that all handlers use. client-address.ts and base-address.ts
// decide who the client is and how links begin; server-sent-events.ts sends event streams.
import type { Router } from 'express'
import { RelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import { type HttpResponse, type Json, jsonType } from '../../net/server/http-response.js'
import type { Caller } from '../services/accounts/token-service.js'
import { mountHandler } from './express-app.js'

export interface RequestContext {
  readonly request: HttpRequest
  readonly response: HttpResponse
  readonly caller: Caller
  readonly base: string
}

/**
 * Handler of a route. Resolves to the JSON of a 200 reply; undefined if it sends the reply itself.
 */
export type RouteHandler = (context: RequestContext) => Promise<Json | undefined>

export type RouteHandlers<Id extends string> = Readonly<Record<Id, RouteHandler>>

export type PublicRouteHandler = (
  request: HttpRequest,
  response: HttpResponse,
) => Promise<Json | undefined>

export type PublicRoutes = Readonly<Record<string, Readonly<Record<string, PublicRouteHandler>>>>

export type SendError = (
  error: unknown,
  request: HttpRequest,
  response: HttpResponse,
) => Promise<void>

/**
 * Mounts routes on an Express router. A path without a route for the method of a request is
 * `method_not_allowed` with `Allow` (RFC 9110 section 15.5.6); HEAD is answered as GET. Among the
 * routes of one call, a fixed path wins over a path with parameters.
 */
export function mountRoutes(router: Router, routes: PublicRoutes, sendError?: SendError): void {
  const fixedPaths = new Set(Object.keys(routes).flatMap(path => [path, `${path}/`]))
  for (const [path, methods] of Object.entries(routes)) {
    const hasParameters = path.includes(':')
    const handlers = new Map(Object.entries(methods))
    const allow = formatAllow(methods)
    mountHandler(router, path, async (request, response, next) => {
      if (hasParameters && fixedPaths.has(request.path)) return next()
      try {
        const handler = handlers.get(request.method === 'HEAD' ? 'GET' : request.method)
        if (handler === undefined) throw methodNotAllowedError(request, response, allow)
        const json = await handler(request, response)
        if (json !== undefined) response.sendJson(200, json)
      } catch (error) {
        if (sendError === undefined) next(error)
        else await sendError(error, request, response).catch(next)
      }
    })
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
    `This path does not support ${method}; it supports ${allow}.`,
  )
}

/**
 * Answers HEAD of a path whose GET has an effect: nothing is changed (RFC 9110 section 9.2.1), so
 * the body of GET and its length are unknown.
 */
export function sendHead(response: HttpResponse): undefined {
  response.send(200, { 'Content-Type': jsonType })
}

/** Keeps a reply with a secret out of caches (RFC 9111 section 5.2.2.5). */
export function setNoStore(response: HttpResponse): void {
  response.setHeader('Cache-Control', 'no-store')
}

/**
 * A part of the path. U+0000, which PostgreSQL does not store, becomes U+FFFD: nothing has such an
 * identifier.
 */
export function getParam(request: HttpRequest, name: string): string {
  const value = request.params[name]
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : ''
}
