import { isFinal } from '../../../domain/message/message.js'
import { isRelayError } from '../../../errors.js'
import { getParam } from '../../http/route.js'
import type { MessageService } from '../../services/messages/message-service.js'
import {
  type PageHandler,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
} from '../page/page.js'
import { getMessagePath } from './message-path.js'

/** The buttons of a message's page that need no form. */
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
  return async ({ account, http }) => {
    const id = getParam(http, 'id')
    const before = await messages.get(account, id)
    await messages.remove(account, id)
    if (isFinal(before)) return redirectWithSuccess('/messages', 'The message is deleted.')
    return redirectWithSuccess(getMessagePath(id), 'The message is deleted. You can undelete it.')
  }
}

const resultTexts = {
  lock: 'The message is locked. It is not sent until you unlock it.',
  unlock: 'The message is unlocked.',
  undelete: 'The message is undeleted.',
  retry: 'The message is due now.',
} as const

type Action = keyof typeof resultTexts

function createActionHandler(messages: MessageService, action: Action): PageHandler {
  return async ({ account, http }) => {
    const id = getParam(http, 'id')
    try {
      const message = await messages[action](account, id)
      if (message?.status === 'B')
        return redirectWithError(getMessagePath(id), 'The number is on the Do Not Text list.')
      return redirectWithSuccess(getMessagePath(id), resultTexts[action])
    } catch (error) {
      // The message may have changed since its page was loaded.
      if (!isRelayError(error, 'invalid_state')) throw error
      return redirectWithError(getMessagePath(id), error.message)
    }
  }
}
