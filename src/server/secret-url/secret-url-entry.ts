import type { IncomingMessage, ServerResponse } from 'node:http'
import type { UrlMessageFields } from '../../contract/secret-url-schema.js'
import { type Capability, neededFields } from '../../domain/account/secret-url.js'
import type { Message } from '../../domain/message/message.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { RelayError } from '../../errors.js'
import type { ArrivingRequest, NodeWay } from '../../net/server/routed-request.js'
import { randomSecret } from '../../util/crypto/secrets.js'
import type { RemoteOf } from '../http/client-address.js'
import { keepSecret, param } from '../http/exchange.js'
import type { OpenRoutes } from '../http/route.js'
import type { GuessGuard } from '../services/accounts/sign-in-throttle.js'
import { notASecretUrl, type SecretUrlService } from '../services/messages/secret-url-service.js'
import { acceptedPage, confirmPage, sendPage } from './secret-url-page.js'
import { readUrlRequest, shownField, urlDraft } from './secret-url-request.js'

/** What secret URLs stand on. */
export interface SecretUrlParts {
  readonly urls: SecretUrlService
  /** Slows down whoever tries secret URLs; others than those that try keys, or a forgotten URL would lock out a phone. */
  readonly urlGuard: GuessGuard
  readonly remoteOf: RemoteOf
}

const allow = 'HEAD, GET, POST, OPTIONS'

/**
 * Secret URLs (SPEC.md section 1): GET and POST send, HEAD, OPTIONS and a prefetch never do. Neither errors nor pages
 * hold the secret.
 */
export function secretUrlRoutes(parts: SecretUrlParts): OpenRoutes<NodeWay> {
  return {
    '/u/:secret': {
      GET: async (request, response) => {
        keepPrivate(response)
        refusePrefetch(request)
        const capability = await find(parts, request)
        if (request.method === 'HEAD') response.writeHead(200).end()
        else if (capability.confirm !== true)
          return await send(parts, capability, request, response)
        else await ask(capability, request, response)
        return undefined
      },
      POST: async (request, response) => {
        keepPrivate(response)
        return await send(parts, await find(parts, request), request, response)
      },
      OPTIONS: async (_, response) => {
        keepPrivate(response)
        response.writeHead(204, { Allow: allow }).end()
        return undefined
      },
    },
  }
}

async function find(
  { urls, urlGuard, remoteOf }: SecretUrlParts,
  request: ArrivingRequest,
): Promise<Capability> {
  const secret = param(request, 'secret')
  const found = await urlGuard.lookUp(remoteOf(request), async () => await urls.find(secret))
  if (found === undefined) throw notASecretUrl()
  return found
}

async function send(
  { urls }: SecretUrlParts,
  capability: Capability,
  request: ArrivingRequest,
  response: ServerResponse,
): Promise<string | undefined> {
  const { fields, key } = await readUrlRequest(request)
  const accepted = await urls.send(capability, urlDraft(capability, fields), key)
  if (accepts(request, ['text/html'])) {
    sendPage(response, acceptedPage(accepted.every(({ status }) => status === 'B')))
    return undefined
  }
  const [first, ...others] = accepted.map(message => ({ message: messageFields(message) }))
  return JSON.stringify(others.length === 0 ? first : { messages: [first, ...others] })
}

/** Answers the page that asks. Throws `method_not_allowed` where no page is understood, lest a program takes it for done. */
async function ask(
  capability: Capability,
  request: ArrivingRequest,
  response: ServerResponse,
): Promise<void> {
  if (!accepts(request, ['text/html', 'text/*', '*/*'])) {
    response.setHeader('Allow', 'POST')
    throw new RelayError('method_not_allowed', 'GET only asks here; send the text with POST.')
  }
  const { fields, key = randomSecret() } = await readUrlRequest(request)
  const questions = neededFields(capability).map(name => ({
    name,
    value: shownField(fields, name),
  }))
  sendPage(response, confirmPage(questions, key))
}

/** Whether the client says that it takes one of these; one that says nothing takes everything. */
function accepts({ headers }: IncomingMessage, types: readonly string[]): boolean {
  const ranges = (headers.accept ?? '*/*').toLowerCase().split(',')
  return ranges.some(range => types.includes(range.split(';')[0]?.trim() ?? ''))
}

/** Keeps the address out of caches, other sites' logs and search engines. */
function keepPrivate(response: ServerResponse): void {
  keepSecret(response)
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Robots-Tag', 'noindex, nofollow, noarchive')
  response.setHeader('X-Content-Type-Options', 'nosniff')
}

const prefetching = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/** Nobody asked for what a browser fetches ahead; 503 has it ask again when somebody does. Throws `unavailable`. */
function refusePrefetch({ headers }: IncomingMessage): void {
  const isAhead = prefetching.some(name =>
    /prefetch|prerender|preview/i.test(String(headers[name])),
  )
  if (isAhead) throw new RelayError('unavailable', 'A secret URL is not fetched ahead.')
}

/** What whoever knows the URL may know: neither the number nor the text that it pins. */
function messageFields(message: Message): UrlMessageFields {
  return {
    id: message.id,
    status: message.status,
    status_date: formatDateTime(message.statusAt),
    created_on: formatDateTime(message.createdAt),
    send_on: formatDateTime(message.sendAt),
    source: message.source,
  }
}
