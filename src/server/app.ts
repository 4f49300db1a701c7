import { RelayError } from '../errors.js'
import type { RequestHandler } from '../net/server/http-connection.js'
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
import { mountDashboard } from './dashboard/dashboard.js'
import { authenticate } from './http/authenticate.js'
import type { RouteHandler } from './http/exchange.js'
import {
  createRouter,
  mountErrorHandler,
  mountFallback,
  toRequestHandler,
} from './http/express-app.js'
import {
  mountRoutes,
  type PublicRouteHandler,
  type PublicRoutes,
  type Routes,
} from './http/route.js'
import type { ServerContext } from './http/server-context.js'
import { createSecretUrlEntryRoutes } from './secret-url/secret-url-entry.js'

/**
 * Creates the handler of all requests: Express calls the first route with the path of a request. A
 * route under `/api/1` authenticates the caller, then its handler reads the body and resolves to
 * the JSON of the reply.
 */
export function createApp(context: ServerContext): RequestHandler {
  const router = createRouter()
  mountRoutes(router, requireToken(createTokenRoutes(context), context))
  mountRoutes(router, createOauthRoutes(context))
  mountRoutes(router, createSecretUrlEntryRoutes(context))
  mountDashboard(router, context)
  mountFallback(router, rejectPath)
  mountErrorHandler(router, context.reportDefect)
  return toRequestHandler(router)
}

/** The error does not repeat the path: it may be a secret URL followed by something else. */
async function rejectPath(): Promise<never> {
  throw new RelayError('not_found', 'There is nothing at this path; the interface is under /api/1.')
}

/** Express tries them in order: `/message/received` has to come before `/message/:id`. */
function createTokenRoutes(parts: ServerContext): Routes {
  const { messages, claims, subscriptions, signingSecrets, deliveries } = parts
  const { received, doNotText, events, limits, phones, statistics, secretUrls } = parts
  return {
    ...createReceivedTextRoutes(received),
    ...createPhoneRoutes(phones, messages),
    ...createMessageRoutes(messages, claims, phones),
    ...createStatisticsRoutes(statistics),
    ...createSigningSecretRoutes(signingSecrets),
    ...createSubscriptionRoutes(subscriptions),
    ...createDeliveryRoutes(deliveries),
    ...createUserRoutes(),
    ...createDoNotTextRoutes(doNotText),
    ...createEventRoutes(events, limits),
    ...createSecretUrlRoutes(secretUrls),
    ...createMailboxRoutes(parts.mailboxes),
  }
}

function requireToken(routes: Routes, parts: ServerContext): PublicRoutes {
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
