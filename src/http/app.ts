import type { RequestListener } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
import type { ConnectionLimits } from '../domain/limits.js'
import { RelayError } from '../errors.js'
import type { AccountService } from '../services/accounts.js'
import type { BlocklistService } from '../services/blocklist.js'
import type { ClaimService } from '../services/claims.js'
import type { DeliveryLogService } from '../services/delivery-log.js'
import type { EventService } from '../services/events.js'
import type { GuessGuard } from '../services/guess-guard.js'
import type { HookSecretService } from '../services/hook-secrets.js'
import type { MailboxService } from '../services/mailboxes.js'
import type { MessageService } from '../services/messages.js'
import type { PhoneService } from '../services/phones.js'
import type { ReceivedService } from '../services/received.js'
import type { SecretUrlService } from '../services/secret-urls.js'
import type { StatisticsService } from '../services/statistics.js'
import type { SubscriptionService } from '../services/subscriptions.js'
import type { TokenService } from '../services/tokens.js'
import { authenticate } from './auth.js'
import { blocklistRoutes } from './blocklist-routes.js'
import { dashboard } from './dashboard/dashboard.js'
import { deliveryRoutes } from './delivery-routes.js'
import { errorResponder, type ReportDefect } from './errors.js'
import { eventRoutes } from './event-routes.js'
import type { Handler } from './exchange.js'
import type { AnswerWhole } from './fast-path/fast-connection.js'
import { hookSecretRoutes } from './hook-secret-routes.js'
import { mailboxRoutes } from './mailbox-routes.js'
import { messageRoutes } from './message-routes.js'
import { oauthRoutes } from './oauth-routes.js'
import { phoneRoutes } from './phone-routes.js'
import { receivedRoutes } from './received-routes.js'
import type { RemoteOf } from './remote-address.js'
import type { NodeWay, Reply, RequestFacts, RoutedRequest } from './routed-request.js'
import { type OpenHandler, type OpenRoutes, type Routes, routing } from './routes.js'
import { secretUrlRoutes } from './secret-url.js'
import type { RequestHandler } from './server.js'
import { statisticsRoutes } from './statistics-routes.js'
import { subscriptionRoutes } from './subscription-routes.js'
import { urlRoutes } from './url-routes.js'
import { userRoutes } from './user-routes.js'

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
