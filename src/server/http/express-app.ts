import express, { type Application, type ErrorRequestHandler, type RequestHandler } from 'express'
import type { RequestHandler as HttpRequestHandler } from '../../net/server/http-connection.js'
import { HttpRequest } from '../../net/server/http-request.js'
import { HttpResponse } from '../../net/server/http-response.js'
import { createErrorResponder, type ReportDefect } from './http-errors.js'

/** Answers a request; Express passes a rejection on to the error handler. */
export type AnswerRequest = (request: HttpRequest, response: HttpResponse) => Promise<void>

/**
 * Creates an Express application for our requests and responses. Express sets the prototype of each request and
 * response to that of the application. Here it is the one they already have, so the call changes nothing: a changed
 * prototype costs three quarters of the speed.
 */
export function createExpressApp(): Application {
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing')
  app.request = HttpRequest.prototype as unknown as typeof app.request
  app.response = HttpResponse.prototype as unknown as typeof app.response
  return app
}

/** Mounts a handler at a path, for all methods: `app.all` knows only those of node:http, and NEXT is not one. */
export function mountHandler(app: Application, path: string, answer: AnswerRequest): void {
  app.route(path).all(answer as unknown as RequestHandler)
}

/** Mounts a handler for all requests that were not answered before; it resolves to whether it has answered. */
export function mountFallback(
  app: Application,
  answer: (request: HttpRequest, response: HttpResponse) => Promise<boolean>,
): void {
  const middleware = async (
    request: HttpRequest,
    response: HttpResponse,
    next: () => void,
  ): Promise<void> => {
    if (!(await answer(request, response))) next()
  }
  app.use(middleware as unknown as RequestHandler)
}

/** Mounts the handler that turns errors into replies, after all others. */
export function mountErrorHandler(app: Application, reportDefect: ReportDefect): void {
  app.use(createErrorResponder(reportDefect) as unknown as ErrorRequestHandler)
}

/** The application as the HTTP server calls it. A request that it cannot answer loses its connection. */
export function toRequestHandler(app: Application): HttpRequestHandler {
  const handle = app as unknown as (
    request: HttpRequest,
    response: HttpResponse,
    next: () => void,
  ) => void
  return (request, response) => handle(request, response, () => response.destroy())
}
