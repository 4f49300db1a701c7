import { isFinal, type Status } from '../../../domain/message/message.js'
import { isRelayError, RelayError } from '../../../errors.js'
import { getParam } from '../../http/route.js'
import type { MessageService } from '../../services/messages/message-service.js'
import {
  getField,
  type PageHandler,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
} from '../page/page.js'
import { describeMeanwhile } from './changed-message.js'
import { getMessagePath } from './message-path.js'

export const statusFieldName = 'status'

export function createMessageActions(messages: MessageService): Pages {
  return {
    '/messages/:id/delete': { POST: createDeleteHandler(messages) },
    '/messages/:id/lock': { POST: createActionHandler(messages, 'lock') },
    '/messages/:id/unlock': { POST: createActionHandler(messages, 'unlock') },
    '/messages/:id/undelete': { POST: createActionHandler(messages, 'undelete') },
    '/messages/:id/retry': { POST: createActionHandler(messages, 'retry') },
  }
}

function createDeleteHandler(messages: MessageService): PageHandler {
  return async request => {
    const { account } = request
    const id = getParam(request.http, 'id')
    const before = await messages.get(account, id)
    const shown = getField(request, statusFieldName)
    try {
      await messages.remove(account, id, current => {
        if (shown !== '' && isFinal(current) !== isFinal({ ...current, status: shown as Status }))
          throw new RelayError('precondition_failed', 'The message has another state now.')
      })
    } catch (error) {
      return await explainUnchanged(messages, request, error)
    }
    if (isFinal(before)) return redirectWithSuccess('/messages', 'The message is deleted.')
    const path = getMessagePath(id)
    return redirectWithSuccess(path, 'The message is cancelled.', `${path}/undelete`)
  }
}

const resultTexts = {
  lock: 'The message is locked. It is not sent until you unlock it.',
  unlock: 'The message is unlocked.',
  undelete: 'The message is restored.',
  retry: 'The message is due now.',
} as const

type Action = keyof typeof resultTexts

const undoActions: Readonly<Partial<Record<Action, string>>> = {
  lock: 'unlock',
  unlock: 'lock',
  undelete: 'delete',
}

function createActionHandler(messages: MessageService, action: Action): PageHandler {
  return async request => {
    const id = getParam(request.http, 'id')
    try {
      const message = await messages[action](request.account, id)
      if (message?.status === 'B')
        return redirectWithError(getMessagePath(id), 'The number is on the Do Not Text list.')
      const path = getMessagePath(id)
      const undo = undoActions[action]
      return redirectWithSuccess(path, resultTexts[action], undo && `${path}/${undo}`)
    } catch (error) {
      return await explainUnchanged(messages, request, error)
    }
  }
}

/** Says what happened to the message since its page was loaded, which the action did not expect. */
async function explainUnchanged(
  messages: MessageService,
  request: PageRequest,
  error: unknown,
): Promise<PageResult> {
  if (!isRelayError(error, 'invalid_state') && !isRelayError(error, 'precondition_failed'))
    throw error
  const message = await messages.getIncludingDeleted(request.account, getParam(request.http, 'id'))
  const shown = getField(request, statusFieldName)
  const isOutdated = shown !== '' && shown !== message.status
  const text = isOutdated ? `${describeMeanwhile(message)} Nothing was changed.` : error.message
  return redirectWithError(getMessagePath(message.id), text)
}
