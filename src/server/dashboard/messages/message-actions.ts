import { isFinal } from '../../../domain/message/message.js'
import { isRelayError } from '../../../errors.js'
import { getParam } from '../../http/exchange.js'
import type { ServerContext } from '../../http/server-context.js'
import type { MessageService } from '../../services/messages/message-service.js'
import {
  type PageHandler,
  type PageResult,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
} from '../page/page.js'
import { getMessagePath } from './message-path.js'

type MessageVerb = 'lock' | 'unlock' | 'undelete'

const resultTexts: Readonly<Record<MessageVerb, string>> = {
  lock: 'The message is locked: it is not sent until it is unlocked.',
  unlock: 'The message is unlocked.',
  undelete: 'The message is back.',
}

/** What is done with one message by a button. */
export function createMessageActionPages({ messages }: Pick<ServerContext, 'messages'>): Pages {
  return {
    '/messages/:id/delete': { POST: createDeleteHandler(messages) },
    '/messages/:id/lock': { POST: createActionHandler(messages, 'lock') },
    '/messages/:id/unlock': { POST: createActionHandler(messages, 'unlock') },
    '/messages/:id/undelete': { POST: createActionHandler(messages, 'undelete') },
  }
}

function createDeleteHandler(messages: MessageService): PageHandler {
  return async ({ account, http }) => {
    const id = getParam(http, 'id')
    const before = await messages.get(account, id)
    await messages.remove(account, id)
    if (isFinal(before)) return redirectWithSuccess('/messages', 'The message is deleted for good.')
    return redirectWithSuccess(
      getMessagePath(id),
      'The message is deleted; it can be brought back.',
    )
  }
}

function createActionHandler(messages: MessageService, verb: MessageVerb): PageHandler {
  return async ({ account, http }) => {
    const id = getParam(http, 'id')
    return await reportInvalidState(id, async () => {
      const message = await messages[verb](account, id)
      const isBlocked = message?.status === 'B'
      const sentence = isBlocked ? 'The number is on the Do Not Text list.' : resultTexts[verb]
      return isBlocked
        ? redirectWithError(getMessagePath(id), sentence)
        : redirectWithSuccess(getMessagePath(id), sentence)
    })
  }
}

/** What the state of a message does not allow is told on its page: it may have changed since the page was loaded. */
async function reportInvalidState(
  id: string,
  work: () => Promise<PageResult>,
): Promise<PageResult> {
  try {
    return await work()
  } catch (error) {
    if (isRelayError(error, 'invalid_state'))
      return redirectWithError(getMessagePath(id), error.message)
    throw error
  }
}
