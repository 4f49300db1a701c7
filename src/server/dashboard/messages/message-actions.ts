import { isFinal } from '../../../domain/message/message.js'
import { isRelayError } from '../../../errors.js'
import type { AppParts } from '../../app.js'
import { param } from '../../http/exchange.js'
import type { MessageService } from '../../services/messages/message-service.js'
import { type Answer, done, failed, type PageHandler, type Pages } from '../page/page.js'
import { messagePath } from './message-path.js'

type Verb = 'lock' | 'unlock' | 'undelete'

const sentences: Readonly<Record<Verb, string>> = {
  lock: 'The message is locked: it is not sent until it is unlocked.',
  unlock: 'The message is unlocked.',
  undelete: 'The message is back.',
}

/** What is done with one message by a button. */
export function messageActionPages({ messages }: Pick<AppParts, 'messages'>): Pages {
  return {
    '/messages/:id/delete': { POST: removal(messages) },
    '/messages/:id/lock': { POST: switching(messages, 'lock') },
    '/messages/:id/unlock': { POST: switching(messages, 'unlock') },
    '/messages/:id/undelete': { POST: switching(messages, 'undelete') },
  }
}

function removal(messages: MessageService): PageHandler {
  return async ({ account, request }) => {
    const id = param(request, 'id')
    const before = await messages.get(account, id)
    await messages.remove(account, id)
    if (isFinal(before)) return done('/messages', 'The message is deleted for good.')
    return done(messagePath(id), 'The message is deleted; it can be brought back.')
  }
}

function switching(messages: MessageService, verb: Verb): PageHandler {
  return async ({ account, request }) => {
    const id = param(request, 'id')
    return await orRefused(id, async () => {
      const message = await messages[verb](account, id)
      const isBlocked = message?.status === 'B'
      const sentence = isBlocked ? 'The number is on the Do Not Text list.' : sentences[verb]
      return isBlocked ? failed(messagePath(id), sentence) : done(messagePath(id), sentence)
    })
  }
}

/** What the state of a message does not allow is told on its page: it may have changed since the page was loaded. */
async function orRefused(id: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (isRelayError(error, 'invalid_state')) return failed(messagePath(id), error.message)
    throw error
  }
}
