import type { SecretUrlMessageFields } from '../../contract/secret-url-schema.js'
import { getRequiredFields, type SecretUrl } from '../../domain/account/secret-url.js'
import type { Message } from '../../domain/message/message.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { RelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import { createSecret } from '../../util/crypto/secrets.js'
import { getParam, setNoStore } from '../http/exchange.js'
import type { PublicRoutes } from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'
import { notASecretUrlError } from '../services/messages/secret-url-service.js'
import { renderAcceptedPage, renderConfirmPage, sendPage } from './secret-url-page.js'
import { createSecretUrlMessage, formatField, readSecretUrlRequest } from './secret-url-request.js'

type SecretUrlContext = Pick<ServerContext, 'secretUrls' | 'secretUrlThrottle' | 'getClientAddress'>

const allow = 'HEAD, GET, POST, OPTIONS'

/**
 * Secret URLs (SPEC.md section 1): GET and POST send, HEAD, OPTIONS and a prefetch never do. Neither errors nor pages
 * hold the secret.
 */
export function createSecretUrlEntryRoutes(context: SecretUrlContext): PublicRoutes {
  return {
    '/u/:secret': {
      GET: async (request, response) => {
        setPrivateHeaders(response)
        rejectPrefetch(request)
        const capability = await findSecretUrl(context, request)
        if (request.method === 'HEAD') response.send(200)
        else if (capability.confirm !== true)
          return await sendMessages(context, capability, request, response)
        else await askForConfirmation(capability, request, response)
        return undefined
      },
      POST: async (request, response) => {
        setPrivateHeaders(response)
        return await sendMessages(context, await findSecretUrl(context, request), request, response)
      },
      OPTIONS: async (_, response) => {
        setPrivateHeaders(response)
        response.send(204, { Allow: allow })
        return undefined
      },
    },
  }
}

async function findSecretUrl(
  { secretUrls, secretUrlThrottle, getClientAddress }: SecretUrlContext,
  request: HttpRequest,
): Promise<SecretUrl> {
  const secret = getParam(request, 'secret')
  const found = await secretUrlThrottle.lookUp(
    getClientAddress(request),
    async () => await secretUrls.find(secret),
  )
  if (found === undefined) throw notASecretUrlError()
  return found
}

async function sendMessages(
  { secretUrls }: SecretUrlContext,
  capability: SecretUrl,
  request: HttpRequest,
  response: HttpResponse,
): Promise<string | undefined> {
  const { fields, key } = await readSecretUrlRequest(request)
  const accepted = await secretUrls.send(
    capability,
    createSecretUrlMessage(capability, fields),
    key,
  )
  if (canAccept(request, ['text/html'])) {
    sendPage(response, renderAcceptedPage(accepted.every(({ status }) => status === 'B')))
    return undefined
  }
  const [first, ...others] = accepted.map(message => ({
    message: toSecretUrlMessageFields(message),
  }))
  return JSON.stringify(others.length === 0 ? first : { messages: [first, ...others] })
}

/** Answers the page that asks. Throws `method_not_allowed` where no page is understood, lest a program takes it for done. */
async function askForConfirmation(
  capability: SecretUrl,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  if (!canAccept(request, ['text/html', 'text/*', '*/*'])) {
    response.setHeader('Allow', 'POST')
    throw new RelayError('method_not_allowed', 'GET only asks here; send the text with POST.')
  }
  const { fields, key = createSecret() } = await readSecretUrlRequest(request)
  const questions = getRequiredFields(capability).map(name => ({
    name,
    value: formatField(fields, name),
  }))
  sendPage(response, renderConfirmPage(questions, key))
}

/** Whether the client says that it takes one of these; one that says nothing takes everything. */
function canAccept({ headers }: HttpRequest, types: readonly string[]): boolean {
  const ranges = (headers.accept ?? '*/*').toLowerCase().split(',')
  return ranges.some(range => types.includes(range.split(';')[0]?.trim() ?? ''))
}

/** Keeps the address out of caches, other sites' logs and search engines. */
function setPrivateHeaders(response: HttpResponse): void {
  setNoStore(response)
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Robots-Tag', 'noindex, nofollow, noarchive')
  response.setHeader('X-Content-Type-Options', 'nosniff')
}

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/** Nobody asked for what a browser fetches ahead; 503 has it ask again when somebody does. Throws `unavailable`. */
function rejectPrefetch({ headers }: HttpRequest): void {
  const isAhead = prefetchHeaders.some(name =>
    /prefetch|prerender|preview/i.test(String(headers[name])),
  )
  if (isAhead) throw new RelayError('unavailable', 'A secret URL is not fetched ahead.')
}

/** What whoever knows the URL may know: neither the number nor the text that it pins. */
function toSecretUrlMessageFields(message: Message): SecretUrlMessageFields {
  return {
    id: message.id,
    status: message.status,
    status_date: formatDateTime(message.statusAt),
    created_on: formatDateTime(message.createdAt),
    send_on: formatDateTime(message.sendAt),
    source: message.source,
  }
}
