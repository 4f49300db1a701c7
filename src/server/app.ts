import type { RequestListener } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
import type { ConnectionLimits } from '../domain/limits.js'
import { RelayError } from '../errors.js'
import type { AnswerWhole } from '../net/server/http-connection.js'
import type { RequestHandler } from '../net/server/http-server.js'
import type { NodeWay, Reply, RequestFacts, RoutedRequest } from '../net/server/routed-request.js'
import { oauthRoutes } from './api/account-routes.js'
import { deliveryRoutes } from './api/delivery-routes.js'
import { blocklistRoutes } from './api/do-not-text-routes.js'
import { eventRoutes } from './api/event-routes.js'
import { hookSecretRoutes } from './api/hook-secret-routes.js'
import { mailboxRoutes } from './api/mailbox-routes.js'
import { messageRoutes } from './api/message-routes.js'
import { phoneRoutes } from './api/phone-routes.js'
import { receivedRoutes } from './api/received-text-routes.js'
import { urlRoutes } from './api/secret-url-routes.js'
import { statisticsRoutes } from './api/statistics-routes.js'
import { subscriptionRoutes } from './api/subscription-routes.js'
import { userRoutes } from './api/user-routes.js'
import { dashboard } from './dashboard/dashboard.js'
import { authenticate } from './http/authenticate.js'
import type { RemoteOf } from './http/client-address.js'
import type { Handler } from './http/exchange.js'
import { errorResponder, type ReportDefect } from './http/http-errors.js'
import { type OpenHandler, type OpenRoutes, type Routes, routing } from './http/route.js'
import { secretUrlRoutes } from './secret-url/secret-url-entry.js'
import type { AccountService } from './services/accounts/account-service.js'
import type { GuessGuard } from './services/accounts/sign-in-throttle.js'
import type { TokenService } from './services/accounts/token-service.js'
import type { BlocklistService } from './services/messages/do-not-text-service.js'
import type { MailboxService } from './services/messages/mailbox-service.js'
import type { MessageService } from './services/messages/message-service.js'
import type { SecretUrlService } from './services/messages/secret-url-service.js'
import type { ClaimService } from './services/phones/claim-service.js'
import type { PhoneService } from './services/phones/phone-service.js'
import type { ReceivedService } from './services/phones/received-text-service.js'
import type { StatisticsService } from './services/statistics-service.js'
import type { DeliveryLogService } from './services/webhooks/delivery-log-service.js'
import type { EventService } from './services/webhooks/event-service.js'
import type { HookSecretService } from './services/webhooks/signing-secret-service.js'
import type { SubscriptionService } from './services/webhooks/subscription-service.js'

/** The parts the interface stands on. */
export interface AppParts {
  readonly accounts: AccountService
  readonly messages: MessageService
  readonly mailboxes: MailboxService
  readonly claims: ClaimService
  readonly phones: PhoneService
  readonly statistics: StatisticsService
  readonly received: ReceivedService
  readonly subscriptions: SubscriptionService
  readonly hookSecrets: HookSecretService
  readonly deliveries: DeliveryLogService
  readonly tokens: TokenService
  readonly blocklist: BlocklistService
  readonly events: EventService
  /** How event streams are kept going. */
  readonly limits: ConnectionLimits
  /** Slows down whoever guesses credentials. */
  readonly guard: GuessGuard
  readonly urls: SecretUrlService
  /** Slows down whoever guesses secret URLs. */
  readonly urlGuard: GuessGuard
  /** Whom a request is from. */
  readonly remoteOf: RemoteOf
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
export function createApp(parts: AppParts): App {
  const failed = errorResponder(parts.reportDefect)
  const resources = routing({ ...withToken(tokenRoutes(parts), parts), ...oauthRoutes(parts) })
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

function createRest(parts: AppParts, failed: ErrorRequestHandler): RequestListener {
  const app = express()
  app.disable('x-powered-by').disable('etag')
  app.use(routing<NodeWay>(secretUrlRoutes(parts)))
  app.use(dashboard(parts))
  app.use(() => {
    // The path is not repeated: it may be a secret URL with something behind it.
    throw new RelayError(
      'not_found',
      'There is nothing at this path; the interface is under /api/1.',
    )
  })
  return app.use(failed)
}

function tokenRoutes(parts: AppParts): Routes {
  const { messages, claims, subscriptions, hookSecrets, deliveries } = parts
  const { received, blocklist, events, limits, phones, statistics, urls } = parts
  return {
    ...receivedRoutes(received),
    ...messageRoutes(messages, claims, phones),
    ...phoneRoutes(phones, messages),
    ...statisticsRoutes(statistics),
    ...subscriptionRoutes(subscriptions),
    ...hookSecretRoutes(hookSecrets),
    ...deliveryRoutes(deliveries),
    ...userRoutes(),
    ...blocklistRoutes(blocklist),
    ...eventRoutes(events, limits),
    ...urlRoutes(urls),
    ...mailboxRoutes(parts.mailboxes),
  }
}

function withToken(routes: Routes, parts: AppParts): OpenRoutes {
  const paths = Object.entries(routes).map(([path, methods]) => {
    const guarded = Object.entries(methods).map(([name, handler]) => [name, guard(handler, parts)])
    return [`/api/1${path}`, Object.fromEntries(guarded)]
  })
  return Object.fromEntries(paths) as OpenRoutes
}

function guard(handler: Handler, parts: AppParts): OpenHandler {
  return async (request, response) => {
    const caller = await authenticate(parts.tokens, request)
    return await handler({ request, response, caller, base: parts.baseOf(request) })
  }
}
