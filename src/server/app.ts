import { RelayError } from '../errors.js'
import type { RequestHandler } from '../net/server/http-connection.js'
import { createApiRoutes } from './api/api-routes.js'
import { mountDashboard } from './dashboard/dashboard.js'
import {
  createRouter,
  mountErrorHandler,
  mountFallback,
  toRequestHandler,
} from './http/express-app.js'
import { mountRoutes, type PublicRoutes } from './http/route.js'
import type { ServerContext } from './http/server-context.js'
import { createHealthRoutes } from './monitoring/health-routes.js'
import { createSecretUrlEntryRoutes } from './secret-url/secret-url-entry.js'

/**
 * Creates the handler of all requests: Express calls the first route with the path of a request. A
 * route under `/api/1` authenticates the caller, then its handler reads the body and resolves to
 * the JSON of the reply.
 */
export function createApp(
  context: ServerContext,
  monitoringRoutes: PublicRoutes = {},
): RequestHandler {
  const router = createRouter()
  mountRoutes(router, createApiRoutes(context))
  mountRoutes(router, createSecretUrlEntryRoutes(context))
  mountRoutes(router, { ...createHealthRoutes(context.readiness), ...monitoringRoutes })
  mountDashboard(router, context)
  mountFallback(router, rejectPath)
  mountErrorHandler(router, context.reportDefect)
  return toRequestHandler(router)
}

/**
 * The relay's error for an unknown path does not repeat the path: it may be a secret URL followed
 * by something else.
 */
async function rejectPath(): Promise<never> {
  throw new RelayError('not_found', 'There is nothing at this path; the interface is under /api/1.')
}
