import {
  failureReport,
  listFilter,
  type MessageCreate,
  type MessageEdit,
  messageCreate,
  messageEdit,
  releaseReport,
  successReport,
} from '../../contract/message-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import { limits } from '../../domain/limits.js'
import type { Message } from '../../domain/message/message.js'
import { parseDateTime } from '../../domain/time/date-time.js'
import { RelayError } from '../../errors.js'
import { requireAppKey, requireFullScope } from '../http/authenticate.js'
import { getParam, type RequestContext, type RouteHandler } from '../http/exchange.js'
import { getObjectField, parseFilterParameter, readFields } from '../http/request-body.js'
import { getIdempotencyKey, parsePreferredWait } from '../http/request-headers.js'
import type { Routes } from '../http/route.js'
import type { MessageDraft, MessageService } from '../services/messages/message-service.js'
import type { ClaimOptions, ClaimService } from '../services/phones/claim-service.js'
import type { PhoneService } from '../services/phones/phone-service.js'
import { formatMessageIdJson, formatMessageJson, formatMessageLinks } from './message-json.js'
import { MessageJsonCache } from './message-json-cache.js'
import { trackNext, trackReport } from './phone-routes.js'

/** The message resource (SPEC.md section 4.2), with release, lock, unlock and undelete as extensions. */
export function createMessageRoutes(
  messages: MessageService,
  claims: ClaimService,
  phones: PhoneService,
): Routes {
  const next = trackNext(phones, createNextHandler(claims))
  const shown = new MessageJsonCache()
  return {
    '/message': {
      GET: createListHandler(messages, shown),
      NEXT: next,
      POST: createCreateHandler(messages),
    },
    '/message/next': { GET: next },
    '/message/:id': {
      GET: async ({ caller, request, base }) => {
        const id = getParam(request, 'id')
        if (caller.kind === 'app')
          return formatMessageJson(await claims.getForPhone(caller.account, id), base)
        return shown.getMessage(await messages.get(caller.account, id), base)
      },
      PATCH: createEditHandler(messages),
      DELETE: async ({ caller, request }) => {
        requireFullScope(caller)
        const id = getParam(request, 'id')
        await messages.remove(caller.account, id)
        return formatMessageIdJson(id)
      },
    },
    '/message/:id/success': { PUT: trackReport(phones, 'success', createSuccessHandler(claims)) },
    '/message/:id/failure': { PUT: trackReport(phones, 'failure', createFailureHandler(claims)) },
    '/message/:id/release': { PUT: createReleaseHandler(claims) },
    '/message/:id/lock': { PUT: createSwitchHandler(messages, 'lock') },
    '/message/:id/unlock': { PUT: createSwitchHandler(messages, 'unlock') },
    '/message/:id/undelete': { PUT: createSwitchHandler(messages, 'undelete') },
  }
}

function createListHandler(messages: MessageService, shown: MessageJsonCache): RouteHandler {
  return async ({ caller, request, base }) => {
    requireFullScope(caller)
    const page = parseInput(listFilter, parseFilterParameter(request.query.filter))
    return shown.getList(await messages.list(caller.account, page), base)
  }
}

function createCreateHandler(messages: MessageService): RouteHandler {
  return async ({ caller, request, base }) => {
    requireFullScope(caller)
    const key = getIdempotencyKey(request)
    const draft = parseInput(messageCreate, getObjectField(await readFields(request), 'message'))
    const accepted = await messages.accept(caller.account, toMessageDraft(draft), 'api', key)
    return formatMessageJson(accepted, base)
  }
}

function createEditHandler(messages: MessageService): RouteHandler {
  return async ({ caller, request, base }) => {
    requireFullScope(caller)
    const id = getParam(request, 'id')
    await messages.get(caller.account, id)
    const edit = parseInput(messageEdit, getObjectField(await readFields(request), 'message'))
    const edited = await messages.edit(caller.account, id, toMessageDraft(edit))
    return formatMessageIdJson(id, edited && formatMessageLinks(edited, base))
  }
}

function createNextHandler(claims: ClaimService): RouteHandler {
  return async ({ caller, request, response, base }) => {
    requireAppKey(caller)
    const seconds = parsePreferredWait(request)
    if (seconds !== undefined) response.setHeader('Preference-Applied', `wait=${seconds}`)
    const take = (patience?: ClaimOptions): Promise<Message | undefined> =>
      claims.next(caller.account, caller.holder, patience)
    const wait = (seconds ?? 0) * 1000
    let message = request.isClosed ? undefined : await take()
    if (message === undefined && wait > 0) {
      message = await take({ wait, signal: request.signal })
    }
    if (message !== undefined) return formatMessageJson(message, base)
    throw new RelayError('not_a_message', 'No message is due now; ask again later.')
  }
}

function createSuccessHandler(claims: ClaimService): RouteHandler {
  return async exchange => {
    const { caller, request, base } = exchange
    const report = parseInput(successReport, await readFields(request))
    const { holder, id, key } = getReportDetails(exchange)
    return formatMessageJson(
      await claims.reportSuccess(caller.account, holder, id, report, key),
      base,
    )
  }
}

function createFailureHandler(claims: ClaimService): RouteHandler {
  return async exchange => {
    const { caller, request, base } = exchange
    const { error_message, outcome } = parseInput(failureReport, await readFields(request))
    const report = { error: error_message.slice(0, limits.errorMessage), outcome }
    const { holder, id, key } = getReportDetails(exchange)
    return formatMessageJson(
      await claims.reportFailure(caller.account, holder, id, report, key),
      base,
    )
  }
}

function createReleaseHandler(claims: ClaimService): RouteHandler {
  return async exchange => {
    const { caller, request, base } = exchange
    const { retry_after: seconds } = parseInput(releaseReport, await readFields(request))
    const how = seconds === undefined ? {} : { retryAfter: seconds * 1000 }
    const { holder, id } = getReportDetails(exchange)
    return formatMessageJson(await claims.release(caller.account, holder, id, how), base)
  }
}

function createSwitchHandler(
  messages: MessageService,
  verb: 'lock' | 'unlock' | 'undelete',
): RouteHandler {
  return async ({ caller, request, base }) => {
    requireFullScope(caller)
    const id = getParam(request, 'id')
    const message = await messages[verb](caller.account, id)
    return formatMessageJson(message ?? (await messages.get(caller.account, id)), base)
  }
}

function getReportDetails({ caller, request }: RequestContext): {
  holder: string
  id: string
  key?: string
} {
  const key = getIdempotencyKey(request)
  return {
    holder: caller.holder,
    id: getParam(request, 'id'),
    ...(key === undefined ? {} : { key }),
  }
}

function toMessageDraft(draft: MessageCreate): MessageDraft
function toMessageDraft(draft: MessageEdit): Partial<MessageDraft>
function toMessageDraft({ destination, message, send_on }: MessageEdit): Partial<MessageDraft> {
  return {
    ...(destination === undefined ? {} : { destination }),
    ...(message === undefined ? {} : { text: message }),
    ...(send_on === undefined ? {} : { sendAt: parseDateTime(send_on) }),
  }
}
