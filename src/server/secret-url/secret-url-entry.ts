// Secret URLs (docs/reference/interface.md 1): a request to /u/<secret> sends a message.
//
// 1. The throttle and the service look up the secret; an unknown one is `not_found`.
// 2. secret-url-request.ts reads the fields of query and body (secret-url-body.ts), and fills the
//    template.
// 3. GET and POST send the messages. If the URL requires confirmation, GET only shows a page that
//    sends the POST (secret-url-page.ts). HEAD, OPTIONS and a prefetch never send.
// 4. The reply is JSON, or a page for a browser. Neither errors nor pages contain the secret.
import type { SecretUrlMessageFields } from '../../contract/secret-url/secret-url-schema.js'
import { getFormFields, type SecretUrl } from '../../domain/account/secret-url.js'
import type { Message } from '../../domain/message/message.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { RelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import { createSecret } from '../../util/crypto/secrets.js'
import { getParam, type PublicRoutes, sendHead, setNoStore } from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'
import { notASecretUrlError } from '../services/messages/secret-url-service.js'
import { renderAcceptedPage, renderConfirmPage, sendPage } from './secret-url-page.js'
import { createSecretUrlMessage, formatField, readSecretUrlRequest } from './secret-url-request.js'

type SecretUrlContext = Pick<ServerContext, 'secretUrls' | 'secretUrlThrottle' | 'getClientAddress'>

const allow = 'HEAD, GET, POST, OPTIONS'

export function createSecretUrlEntryRoutes(context: SecretUrlContext): PublicRoutes {
  return {
    '/u/:secret': {
      GET: async (request, response) => {
        setPrivateHeaders(response)
        rejectPrefetch(request)
        const secretUrl = await findSecretUrl(context, request)
        if (request.method === 'HEAD') return sendHead(response)
        if (secretUrl.confirm === true) await sendConfirmPage(secretUrl, request, response)
        else return await sendMessages(context, secretUrl, request, response)
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
  request.account = found.account
  return found
}

async function sendMessages(
  { secretUrls }: SecretUrlContext,
  secretUrl: SecretUrl,
  request: HttpRequest,
  response: HttpResponse,
): Promise<string | undefined> {
  const { fields, key } = await readSecretUrlRequest(request, secretUrl)
  const { warnings, ...text } = createSecretUrlMessage(secretUrl, fields)
  const accepted = await secretUrls.send(secretUrl, text, key)
  if (canAccept(request, ['text/html'])) {
    const isBlocked = accepted.every(({ status }) => status === 'B')
    sendPage(response, renderAcceptedPage(isBlocked, warnings))
    return undefined
  }
  const [first, ...others] = accepted.map(message => ({
    message: toSecretUrlMessageFields(message),
  }))
  const reply = others.length === 0 ? first : { messages: [first, ...others] }
  return JSON.stringify(warnings.length === 0 ? reply : { ...reply, warnings })
}

/**
 * Sends the page that confirms the use of a secret URL. A program that accepts no pages gets an
 * error; otherwise it would assume that the message is sent.
 */
async function sendConfirmPage(
  secretUrl: SecretUrl,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  if (!canAccept(request, ['text/html', 'text/*', '*/*'])) {
    response.setHeader('Allow', 'POST')
    throw new RelayError('method_not_allowed', 'GET only shows a page here. Send with POST.')
  }
  const { fields, key = createSecret() } = await readSecretUrlRequest(request, secretUrl)
  const questions = getFormFields(secretUrl).map(field => ({
    ...field,
    value: formatField(fields, field.name),
  }))
  sendPage(response, renderConfirmPage(questions, key))
}

/**
 * Whether a client of a secret URL accepts a media type; a request without Accept accepts
 * everything.
 */
function canAccept({ headers }: HttpRequest, types: readonly string[]): boolean {
  const ranges = (headers.accept ?? '*/*').toLowerCase().split(',')
  return ranges.some(range => types.includes(range.split(';')[0]?.trim() ?? ''))
}

/** Keeps the address out of caches, logs of other sites and search engines. */
function setPrivateHeaders(response: HttpResponse): void {
  setNoStore(response)
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Robots-Tag', 'noindex, nofollow, noarchive')
  response.setHeader('X-Content-Type-Options', 'nosniff')
}

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

/**
 * Rejects a browser's prefetch of a secret URL; after the 503 it sends the request again when the
 * user opens the link.
 */
function rejectPrefetch({ headers }: HttpRequest): void {
  const isPrefetch = prefetchHeaders.some(name =>
    /prefetch|prerender|preview/i.test(String(headers[name])),
  )
  if (isPrefetch) throw new RelayError('unavailable', 'A secret URL cannot be prefetched.')
}

/** The user of a secret URL must not see the recipient and the text that it sets. */
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
