import type { RequestListener } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
import { RelayError } from '../errors.js'
import type { AnswerWhole } from '../net/server/http-connection.js'
import type { RequestHandler } from '../net/server/http-server.js'
import type { NodeWay, Reply, RoutedRequest } from '../net/server/routed-request.js'
import { createOauthRoutes } from './api/account-routes.js'
import { createDeliveryRoutes } from './api/delivery-routes.js'
import { createDoNotTextRoutes } from './api/do-not-text-routes.js'
import { createEventRoutes } from './api/event-routes.js'
import { createSigningSecretRoutes } from './api/hook-secret-routes.js'
import { createMailboxRoutes } from './api/mailbox-routes.js'
import { createMessageRoutes } from './api/message-routes.js'
import { createPhoneRoutes } from './api/phone-routes.js'
import { createReceivedTextRoutes } from './api/received-text-routes.js'
import { createSecretUrlRoutes } from './api/secret-url-routes.js'
import { createStatisticsRoutes } from './api/statistics-routes.js'
import { createSubscriptionRoutes } from './api/subscription-routes.js'
import { createUserRoutes } from './api/user-routes.js'
import { createDashboard } from './dashboard/dashboard.js'
import { authenticate } from './http/authenticate.js'
import type { RouteHandler } from './http/exchange.js'
import { createErrorResponder } from './http/http-errors.js'
import {
  mountRoutes,
  type PublicRouteHandler,
  type PublicRoutes,
  type Routes,
} from './http/route.js'
import type { ServerContext } from './http/server-context.js'
import { createSecretUrlEntryRoutes } from './secret-url/secret-url-entry.js'

/** What answers requests. */
export interface App {
  /** Answers the requests that programs send, and leaves all others to `elsewhere`. */
  readonly answer: AnswerWhole
  /** Answers every request. */
  readonly handle: RequestHandler
}

/**
 * The REST interface (SPEC.md section 4); listening is somebody else's job. What programs ask is answered at once, all
 * else goes through Express, whose own layers would take a tenth of the time of each request.
 */
export function createApp(parts: ServerContext): App {
  const failed = createErrorResponder(parts.reportDefect)
  const resources = mountRoutes({
    ...withToken(tokenRoutes(parts), parts),
    ...createOauthRoutes(parts),
  })
  const rest = createRest(parts, failed)
  const answer = (request: RoutedRequest, response: Reply, elsewhere: () => void): void => {
    const end = (): unknown => request.socket.destroy()
    resources(request, response, error => {
      if (error === undefined) elsewhere()
      else failed(error, request, response, end)
    }).catch(end)
  }
  return {
    answer,
    handle: (request, response) => answer(request, response, () => rest(request, response)),
  }
}

function createRest(parts: ServerContext, failed: ErrorRequestHandler): RequestListener {
  const app = express()
  app.disable('x-powered-by').disable('etag')
  app.use(mountRoutes<NodeWay>(createSecretUrlEntryRoutes(parts)))
  app.use(createDashboard(parts))
  app.use(() => {
    // The path is not repeated: it may be a secret URL with something behind it.
    throw new RelayError(
      'not_found',
      'There is nothing at this path; the interface is under /api/1.',
    )
  })
  return app.use(failed)
}

function tokenRoutes(parts: ServerContext): Routes {
  const { messages, claims, subscriptions, signingSecrets, deliveries } = parts
  const { received, doNotText, events, limits, phones, statistics, secretUrls } = parts
  return {
    ...createReceivedTextRoutes(received),
    ...createMessageRoutes(messages, claims, phones),
    ...createPhoneRoutes(phones, messages),
    ...createStatisticsRoutes(statistics),
    ...createSubscriptionRoutes(subscriptions),
    ...createSigningSecretRoutes(signingSecrets),
    ...createDeliveryRoutes(deliveries),
    ...createUserRoutes(),
    ...createDoNotTextRoutes(doNotText),
    ...createEventRoutes(events, limits),
    ...createSecretUrlRoutes(secretUrls),
    ...createMailboxRoutes(parts.mailboxes),
  }
}

function withToken(routes: Routes, parts: ServerContext): PublicRoutes {
  const paths = Object.entries(routes).map(([path, methods]) => {
    const guarded = Object.entries(methods).map(([name, handler]) => [name, guard(handler, parts)])
    return [`/api/1${path}`, Object.fromEntries(guarded)]
  })
  return Object.fromEntries(paths) as PublicRoutes
}

function guard(handler: RouteHandler, parts: ServerContext): PublicRouteHandler {
  return async (request, response) => {
    const caller = await authenticate(parts.tokens, request)
    return await handler({ request, response, caller, base: parts.getBaseUrl(request) })
  }
}
