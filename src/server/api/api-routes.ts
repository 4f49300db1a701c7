// The REST interface: one handler for each operation of contract/api/operations.
//
// 1. createApiRoutes makes a route of each operation, for server/app to mount.
// 2. The route authenticates the caller by the bearer token, and checks the scope and the role of
//    the operation.
// 3. If the operation has no body, the route waits for the end of the request: an incomplete one
//    has no effect. Otherwise the handler reads the body.
// 4. A request that changes something acts for its caller, so that services append to the audit
//    log; a program's message and a phone's report do not.
// 5. The handler of the operation (messages/, subscription-routes.ts, …) parses query and body with
//    the schemas of contract, calls a service, and returns the JSON of the reply.
//
// Errors are thrown as RelayError; http/http-errors.ts sends them. messages/message-json.ts formats
// messages as text and message-json-cache.ts stores it, because most replies are messages.
import type { Operation, Scope } from '../../contract/api/define-operation.js'
import { type OperationId, operations, publicOperations } from '../../contract/api/operations.js'
import { limits } from '../../domain/limits.js'
import {
  authenticate,
  requireAppKey,
  requireFullScope,
  requireLogin,
} from '../http/authenticate.js'
import { waitForBody } from '../http/request-body.js'
import type {
  PublicRouteHandler,
  PublicRoutes,
  RouteHandler,
  RouteHandlers,
} from '../http/route.js'
import { createAuditOrigin, type ServerContext } from '../http/server-context.js'
import type { Caller } from '../services/accounts/token-service.js'
import { toAuditActor } from '../services/audit/account-rules.js'
import { requireRole } from '../services/people/access.js'
import { createTokenHandlers, createUserHandlers } from './account-routes.js'
import { createAuditHandlers } from './audit-routes.js'
import { createContactHandlers } from './contacts/contact-routes.js'
import { createDoNotTextHandlers } from './do-not-text-routes.js'
import { createLimitHandlers } from './limit-routes.js'
import { createBatchHandlers } from './messages/batch-routes.js'
import { createMessageHandlers } from './messages/message-routes.js'
import { createReportHandlers } from './messages/report-routes.js'
import { createInvitationHandlers, createPeopleHandlers } from './people-routes.js'
import { createPhoneHandlers } from './phone-routes.js'
import { createReceivedTextHandlers } from './received-text-routes.js'
import { createAllResourceHandlers } from './resource-routes.js'
import { createSecretUrlHandlers } from './secret-url-routes.js'
import { createStatusHandlers } from './status-routes.js'
import { createDeliveryHandlers } from './webhook/delivery-routes.js'
import { createEventHandlers } from './webhook/event-routes.js'
import { createSubscriptionHandlers } from './webhook/subscription-routes.js'

export function createApiRoutes(context: ServerContext): PublicRoutes {
  const handlers = createHandlers(context)
  const publicHandlers = createTokenHandlers(context)
  return {
    ...toRoutes(operations, (id, operation) => requireToken(context, operation, handlers[id])),
    ...toRoutes(publicOperations, (id, { request }) =>
      request === undefined ? requireBody(publicHandlers[id]) : publicHandlers[id],
    ),
  }
}

function createHandlers(context: ServerContext): RouteHandlers<OperationId> {
  return {
    ...createMessageHandlers(context),
    ...createReportHandlers(context),
    ...createBatchHandlers(context),
    ...createReceivedTextHandlers(context),
    ...createPhoneHandlers(context),
    ...createSubscriptionHandlers(context),
    ...createDeliveryHandlers(context),
    ...createEventHandlers(context),
    ...createUserHandlers(context),
    ...createStatusHandlers(context),
    ...createDoNotTextHandlers(context),
    ...createContactHandlers(context),
    ...createSecretUrlHandlers(context),
    ...createAllResourceHandlers(context),
    ...createLimitHandlers(context),
    ...createPeopleHandlers(context),
    ...createInvitationHandlers(context),
    ...createAuditHandlers(context),
  }
}

function toRoutes<Id extends string>(
  table: Readonly<Record<Id, Operation>>,
  getHandler: (id: Id, operation: Operation) => PublicRouteHandler,
): PublicRoutes {
  const routes: Record<string, Record<string, PublicRouteHandler>> = {}
  for (const [id, operation] of Object.entries(table) as [Id, Operation][]) {
    const { method, path } = operation
    routes[path] = { ...routes[path], [method]: getHandler(id, operation) }
  }
  return routes
}

const scopeChecks: Readonly<Record<Scope, (caller: Caller) => void>> = {
  none: () => {},
  any: () => {},
  full: requireFullScope,
  app: requireAppKey,
  login: requireLogin,
}

/**
 * Wraps an API handler that does not read the body: it runs when all of the request has arrived.
 */
function requireBody(handler: PublicRouteHandler): PublicRouteHandler {
  return async (request, response) => {
    if (request.arrivedBody === undefined) await waitForBody(request, limits.openBody)
    return await handler(request, response)
  }
}

/**
 * Whether the audit log has an operation of a caller: changes, but not what programs and phones do
 * with messages.
 */
function isAudited({ method, path }: Operation, { kind }: Caller): boolean {
  if (method === 'GET') return /\/(user\/app|secret)$/.test(path)
  if (method === 'NEXT') return false
  return kind === 'login' || !path.startsWith('/api/1/message')
}

function requireToken(
  context: ServerContext,
  operation: Operation,
  handler: RouteHandler,
): PublicRouteHandler {
  const { scope, role, request: schema } = operation
  const { audit, tokens, getBaseUrl } = context
  const checkScope = scopeChecks[scope]
  const readsBody = schema !== undefined
  return async (request, response) => {
    const caller = await authenticate(tokens, request)
    request.account = caller.account.id
    checkScope(caller)
    requireRole(caller, role)
    if (!readsBody && request.arrivedBody === undefined) await waitForBody(request)
    const call = { request, response, caller, base: getBaseUrl(request) }
    if (!isAudited(operation, caller)) return await handler(call)
    const origin = createAuditOrigin(context, request, response, toAuditActor(caller))
    return await audit.actFor(origin, async () => await handler(call))
  }
}
