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
import { parse } from '../../contract/schema/parse.js'
import { limits } from '../../domain/limits.js'
import type { Message } from '../../domain/message/message.js'
import { parseDateTime } from '../../domain/time/date-time.js'
import { RelayError } from '../../errors.js'
import type { RequestFacts } from '../../net/server/routed-request.js'
import { needAppKey, needFullScope } from '../http/authenticate.js'
import { type Exchange, type Handler, param } from '../http/exchange.js'
import { filterParameter, objectField, readFields } from '../http/request-body.js'
import { idempotencyKey, preferredWait } from '../http/request-headers.js'
import type { Routes } from '../http/route.js'
import type { MessageDraft, MessageService } from '../services/messages/message-service.js'
import type { ClaimService, Patience } from '../services/phones/claim-service.js'
import type { PhoneService } from '../services/phones/phone-service.js'
import { messageIdJson, messageJson, messageLinks } from './message-json.js'
import { MessageCache } from './message-json-cache.js'
import { asking, reporting } from './phone-routes.js'

/** The message resource (SPEC.md section 4.2), with release, lock, unlock and undelete as extensions. */
export function messageRoutes(
  messages: MessageService,
  claims: ClaimService,
  phones: PhoneService,
): Routes {
  const next = asking(phones, nextHandler(claims))
  const shown = new MessageCache()
  return {
    '/message': { GET: listHandler(messages, shown), NEXT: next, POST: createHandler(messages) },
    '/message/next': { GET: next },
    '/message/:id': {
      GET: async ({ caller, request, base }) => {
        const id = param(request, 'id')
        if (caller.kind === 'app') return messageJson(await claims.look(caller.account, id), base)
        return shown.one(await messages.get(caller.account, id), base)
      },
      PATCH: editHandler(messages),
      DELETE: async ({ caller, request }) => {
        needFullScope(caller)
        const id = param(request, 'id')
        await messages.remove(caller.account, id)
        return messageIdJson(id)
      },
    },
    '/message/:id/success': { PUT: reporting(phones, 'success', successHandler(claims)) },
    '/message/:id/failure': { PUT: reporting(phones, 'failure', failureHandler(claims)) },
    '/message/:id/release': { PUT: releaseHandler(claims) },
    '/message/:id/lock': { PUT: switchHandler(messages, 'lock') },
    '/message/:id/unlock': { PUT: switchHandler(messages, 'unlock') },
    '/message/:id/undelete': { PUT: switchHandler(messages, 'undelete') },
  }
}

function listHandler(messages: MessageService, shown: MessageCache): Handler {
  return async ({ caller, request, base }) => {
    needFullScope(caller)
    const page = parse(listFilter, filterParameter(request.query.filter))
    return shown.list(await messages.list(caller.account, page), base)
  }
}

function createHandler(messages: MessageService): Handler {
  return async ({ caller, request, base }) => {
    needFullScope(caller)
    const key = idempotencyKey(request)
    const draft = parse(messageCreate, objectField(await readFields(request), 'message'))
    const accepted = await messages.accept(caller.account, toDraft(draft), 'api', key)
    return messageJson(accepted, base)
  }
}

function editHandler(messages: MessageService): Handler {
  return async ({ caller, request, base }) => {
    needFullScope(caller)
    const id = param(request, 'id')
    await messages.get(caller.account, id)
    const edit = parse(messageEdit, objectField(await readFields(request), 'message'))
    const edited = await messages.edit(caller.account, id, toDraft(edit))
    return messageIdJson(id, edited && messageLinks(edited, base))
  }
}

function nextHandler(claims: ClaimService): Handler {
  return async ({ caller, request, response, base }) => {
    needAppKey(caller)
    const seconds = preferredWait(request)
    if (seconds !== undefined) response.setHeader('Preference-Applied', `wait=${seconds}`)
    const take = (patience?: Patience): Promise<Message | undefined> =>
      claims.next(caller.account, caller.holder, patience)
    const wait = (seconds ?? 0) * 1000
    let message = request.socket.destroyed ? undefined : await take()
    if (message === undefined && wait > 0) {
      message = await whileConnected(request, async signal => await take({ wait, signal }))
    }
    if (message !== undefined) return messageJson(message, base)
    throw new RelayError('not_a_message', 'No message is due now; ask again later.')
  }
}

/** Runs `work` with a signal that the end of the connection aborts, before or behind other replies on it. */
async function whileConnected<T>(
  { socket }: RequestFacts,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  socket.once('close', leave)
  if (socket.destroyed) leave()
  try {
    return await work(gone.signal)
  } finally {
    socket.off('close', leave)
  }
}

function successHandler(claims: ClaimService): Handler {
  return async exchange => {
    const { caller, request, base } = exchange
    const report = parse(successReport, await readFields(request))
    const { holder, id, key } = reportFacts(exchange)
    return messageJson(await claims.succeed(caller.account, holder, id, report, key), base)
  }
}

function failureHandler(claims: ClaimService): Handler {
  return async exchange => {
    const { caller, request, base } = exchange
    const { error_message, outcome } = parse(failureReport, await readFields(request))
    const report = { error: error_message.slice(0, limits.errorMessage), outcome }
    const { holder, id, key } = reportFacts(exchange)
    return messageJson(await claims.fail(caller.account, holder, id, report, key), base)
  }
}

function releaseHandler(claims: ClaimService): Handler {
  return async exchange => {
    const { caller, request, base } = exchange
    const { retry_after: seconds } = parse(releaseReport, await readFields(request))
    const how = seconds === undefined ? {} : { retryAfter: seconds * 1000 }
    const { holder, id } = reportFacts(exchange)
    return messageJson(await claims.release(caller.account, holder, id, how), base)
  }
}

function switchHandler(messages: MessageService, verb: 'lock' | 'unlock' | 'undelete'): Handler {
  return async ({ caller, request, base }) => {
    needFullScope(caller)
    const id = param(request, 'id')
    const message = await messages[verb](caller.account, id)
    return messageJson(message ?? (await messages.get(caller.account, id)), base)
  }
}

function reportFacts({ caller, request }: Exchange): { holder: string; id: string; key?: string } {
  const key = idempotencyKey(request)
  return { holder: caller.holder, id: param(request, 'id'), ...(key === undefined ? {} : { key }) }
}

function toDraft(draft: MessageCreate): MessageDraft
function toDraft(draft: MessageEdit): Partial<MessageDraft>
function toDraft({ destination, message, send_on }: MessageEdit): Partial<MessageDraft> {
  return {
    ...(destination === undefined ? {} : { destination }),
    ...(message === undefined ? {} : { text: message }),
    ...(send_on === undefined ? {} : { sendAt: parseDateTime(send_on) }),
  }
}
