import { messageView } from '../../../contract/message/attempt-schema.js'
import {
  type MessageCreate,
  type MessageEdit,
  messageCreate,
  messageEdit,
} from '../../../contract/message-schema.js'
import { parseInput } from '../../../contract/schema/parse.js'
import { parseDateTime } from '../../../domain/time/date-time.js'
import { getObjectField, readFields } from '../../http/request-body.js'
import { getIdempotencyKey, getPrecondition } from '../../http/request-headers.js'
import { getQuery } from '../../http/request-query.js'
import { getParam, type RouteHandler, type RouteHandlers } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { MessageDraft } from '../../services/messages/message-composer.js'
import type { MessageService } from '../../services/messages/message-service.js'
import { findLease } from '../../services/phones/find-lease.js'
import {
  formatExtendedMessageJson,
  formatMessageIdJson,
  formatMessageJson,
  formatMessageLinks,
  getMessageTag,
} from './message-json.js'
import { MessageJsonCache } from './message-json-cache.js'
import { createListHandler } from './message-list-route.js'

export function createMessageHandlers({
  messages,
  claims,
  phones,
  now,
}: ServerContext): RouteHandlers<
  | 'createMessage'
  | 'listMessages'
  | 'getMessage'
  | 'editMessage'
  | 'deleteMessage'
  | 'lockMessage'
  | 'unlockMessage'
  | 'undeleteMessage'
  | 'retryMessage'
> {
  const cache = new MessageJsonCache()
  return {
    createMessage: createCreateHandler(messages),
    listMessages: createListHandler(messages, cache),
    getMessage: async ({ caller, request, response, base }) => {
      const id = getParam(request, 'id')
      const { extended } = parseInput(messageView, { extended: getQuery(request).extended })
      const { account, kind } = caller
      const isPhone = kind === 'app'
      const message = await (isPhone ? claims.getForPhone(account, id) : messages.get(account, id))
      if (!isPhone) response.setHeader('ETag', cache.getTag(message, base))
      if (extended) {
        const lease = await findLease({ phones, claims }, account, message, now())
        return formatExtendedMessageJson(message, base, lease)
      }
      return isPhone ? formatMessageJson(message, base) : cache.getMessage(message, base)
    },
    editMessage: createEditHandler(messages),
    deleteMessage: async ({ caller, request }) => {
      const id = getParam(request, 'id')
      await messages.remove(caller.account, id, getPrecondition(request, getMessageTag))
      return formatMessageIdJson(id)
    },
    lockMessage: createStateHandler(messages, 'lock'),
    unlockMessage: createStateHandler(messages, 'unlock'),
    undeleteMessage: createStateHandler(messages, 'undelete'),
    retryMessage: createStateHandler(messages, 'retry'),
  }
}

function createCreateHandler(messages: MessageService): RouteHandler {
  return async ({ caller, request, base }) => {
    const key = getIdempotencyKey(request)
    const draft = parseInput(messageCreate, getObjectField(await readFields(request), 'message'))
    const { extended } = parseInput(messageView, { extended: getQuery(request).extended })
    const accepted = await messages.accept(caller.account, toMessageDraft(draft), 'api', key)
    return extended ? formatExtendedMessageJson(accepted, base) : formatMessageJson(accepted, base)
  }
}

/** PATCH of a message that does not exist is an error even if the body is invalid. */
function createEditHandler(messages: MessageService): RouteHandler {
  return async ({ caller, request, response, base }) => {
    const id = getParam(request, 'id')
    await messages.get(caller.account, id)
    const precondition = getPrecondition(request, getMessageTag)
    const edit = parseInput(messageEdit, getObjectField(await readFields(request), 'message'))
    const draft = toMessageDraft(edit)
    const edited = await messages.edit(caller.account, id, draft, precondition)
    if (edited !== undefined) response.setHeader('ETag', getMessageTag(edited))
    return formatMessageIdJson(id, edited && formatMessageLinks(edited, base))
  }
}

function createStateHandler(
  messages: MessageService,
  verb: 'lock' | 'unlock' | 'undelete' | 'retry',
): RouteHandler {
  return async ({ caller, request, base }) => {
    const id = getParam(request, 'id')
    const precondition = getPrecondition(request, getMessageTag)
    const message = await messages[verb](caller.account, id, precondition)
    return formatMessageJson(message ?? (await messages.get(caller.account, id)), base)
  }
}

export function toMessageDraft(draft: MessageCreate): MessageDraft
export function toMessageDraft(draft: MessageEdit): Partial<MessageDraft>
export function toMessageDraft({
  destination,
  message,
  send_on,
  flash,
}: MessageEdit): Partial<MessageDraft> {
  return {
    ...(destination === undefined ? {} : { destination }),
    ...(message === undefined ? {} : { text: message }),
    ...(send_on === undefined ? {} : { sendAt: parseDateTime(send_on) }),
    ...(flash === undefined ? {} : { flash }),
  }
}
