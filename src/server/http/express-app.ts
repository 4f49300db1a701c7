import { type ErrorRequestHandler, type RequestHandler, Router } from 'express'
import type { RequestHandler as HttpRequestHandler } from '../../net/server/http-connection.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import { createErrorResponder, type ReportDefect } from './http-errors.js'

/**
 * Answers a request of a route, or calls `next` for later routes or with an error. Never rejects.
 */
export type AnswerRequest = (
  request: HttpRequest,
  response: HttpResponse,
  next: (error?: unknown) => void,
) => Promise<void>

/**
 * Creates the Express router of all HTTP requests. An application would give each request and
 * response another prototype, which costs three quarters of the speed, for methods that nothing
 * here uses.
 */
export function createRouter(): Router {
  return Router({ caseSensitive: true })
}

/**
 * Mounts a handler for HTTP requests at a path, for all methods; `router.all` has only those of
 * node:http.
 */
export function mountHandler(router: Router, path: string, answer: AnswerRequest): void {
  const handler: (...args: Parameters<AnswerRequest>) => void = (request, response, next) => {
    // For a route over HTTP, returns no promise, so that Express does not chain another one to the
    // route's.
    void answer(request, response, next)
  }
  router.route(path).all(handler as unknown as RequestHandler)
}

export function mountFallback(
  router: Router,
  answer: (request: HttpRequest, response: HttpResponse) => Promise<boolean>,
): void {
  const middleware = async (
    request: HttpRequest,
    response: HttpResponse,
    next: () => void,
  ): Promise<void> => {
    if (!(await answer(request, response))) next()
  }
  router.use(middleware as unknown as RequestHandler)
}

export function mountErrorHandler(router: Router, reportDefect: ReportDefect): void {
  router.use(createErrorResponder(reportDefect) as unknown as ErrorRequestHandler)
}

export function toRequestHandler(router: Router): HttpRequestHandler {
  const handle = router as unknown as (
    request: HttpRequest,
    response: HttpResponse,
    next: () => void,
  ) => void
  return (request, response) => handle(request, response, () => response.destroy())
}
