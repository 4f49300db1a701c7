import type { RequestListener } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
import type { ConnectionLimits } from '../domain/limits.js'
import { RelayError } from '../errors.js'
import type { AnswerWhole } from '../net/server/http-connection.js'
import type { RequestHandler } from '../net/server/http-server.js'
import type { NodeWay, Reply, RequestFacts, RoutedRequest } from '../net/server/routed-request.js'
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
import type { GetClientAddress } from './http/client-address.js'
import type { RouteHandler } from './http/exchange.js'
import { createErrorResponder, type ReportDefect } from './http/http-errors.js'
import {
  mountRoutes,
  type PublicRouteHandler,
  type PublicRoutes,
  type Routes,
} from './http/route.js'
import { createSecretUrlEntryRoutes } from './secret-url/secret-url-entry.js'
import type { AccountService } from './services/accounts/account-service.js'
import type { SignInThrottle } from './services/accounts/sign-in-throttle.js'
import type { TokenService } from './services/accounts/token-service.js'
import type { DoNotTextService } from './services/messages/do-not-text-service.js'
import type { MailboxService } from './services/messages/mailbox-service.js'
import type { MessageService } from './services/messages/message-service.js'
import type { SecretUrlService } from './services/messages/secret-url-service.js'
import type { ClaimService } from './services/phones/claim-service.js'
import type { PhoneService } from './services/phones/phone-service.js'
import type { ReceivedTextService } from './services/phones/received-text-service.js'
import type { StatisticsService } from './services/statistics-service.js'
import type { DeliveryLogService } from './services/webhooks/delivery-log-service.js'
import type { EventService } from './services/webhooks/event-service.js'
import type { SigningSecretService } from './services/webhooks/signing-secret-service.js'
import type { SubscriptionService } from './services/webhooks/subscription-service.js'

/** The parts the interface stands on. */
export interface ServerContext {
  readonly accounts: AccountService
  readonly messages: MessageService
  readonly mailboxes: MailboxService
  readonly claims: ClaimService
  readonly phones: PhoneService
  readonly statistics: StatisticsService
  readonly received: ReceivedTextService
  readonly subscriptions: SubscriptionService
  readonly hookSecrets: SigningSecretService
  readonly deliveries: DeliveryLogService
  readonly tokens: TokenService
  readonly blocklist: DoNotTextService
  readonly events: EventService
  /** How event streams are kept going. */
  readonly limits: ConnectionLimits
  /** Slows down whoever guesses credentials. */
  readonly guard: SignInThrottle
  readonly urls: SecretUrlService
  /** Slows down whoever guesses secret URLs. */
  readonly urlGuard: SignInThrottle
  /** Whom a request is from. */
  readonly remoteOf: GetClientAddress
  /** The base address of links in the reply to a request. */
  readonly baseOf: (request: RequestFacts) => string
  /** Whether a request came over TLS, here or at a proxy in front. */
  readonly isSecure: (request: RequestFacts) => boolean
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly reportDefect: ReportDefect
}

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
  const { messages, claims, subscriptions, hookSecrets, deliveries } = parts
  const { received, blocklist, events, limits, phones, statistics, urls } = parts
  return {
    ...createReceivedTextRoutes(received),
    ...createMessageRoutes(messages, claims, phones),
    ...createPhoneRoutes(phones, messages),
    ...createStatisticsRoutes(statistics),
    ...createSubscriptionRoutes(subscriptions),
    ...createSigningSecretRoutes(hookSecrets),
    ...createDeliveryRoutes(deliveries),
    ...createUserRoutes(),
    ...createDoNotTextRoutes(blocklist),
    ...createEventRoutes(events, limits),
    ...createSecretUrlRoutes(urls),
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
    return await handler({ request, response, caller, base: parts.baseOf(request) })
  }
}
