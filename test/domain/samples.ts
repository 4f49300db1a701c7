import type { Message, MessageChange, Status } from '../../src/domain/message/message.js'
import type { EventName } from '../../src/domain/webhook/event.js'
import type { Subscription } from '../../src/domain/webhook/subscription.js'
import { isRelayError } from '../../src/errors.js'

export const start = 1_700_000_000_000

export const minute = 60_000

/** A subscription that delivered event 40. */
export const fresh: Subscription = {
  id: 's',
  account: 'a',
  event: 'message.create',
  url: 'http://h/',
  method: 'POST',
  post: false,
  triggered: 7,
  createdAt: 0,
  cursor: 40,
}

export function messageWith(changes: Partial<Message> = {}): Message {
  return {
    id: 'm1',
    account: 'a',
    destination: '(202) 555-0143',
    number: '+12025550143',
    text: 'hello',
    source: 'api',
    status: 'N',
    createdAt: start,
    sendAt: start,
    statusAt: start,
    failures: 0,
    ...changes,
  }
}

export function inState(status: Status): Message {
  const more: Partial<Record<Status, Partial<Message>>> = {
    E: { failures: 2, retryAt: start + 30 * minute, error: 'busy' },
    F: { failures: 5, error: 'busy' },
    D: { before: 'N' },
    S: { parts: 1 },
  }
  return messageWith({ status, ...more[status] })
}

/** The result of a decision: a status, `removed`, `same` or an error code, and the events. */
export function outcome(decide: () => MessageChange): readonly [string, ...EventName[]] {
  try {
    const { message, events = [] } = decide()
    if (message === undefined) return ['same', ...events]
    return [message === null ? 'removed' : message.status, ...events]
  } catch (error) {
    if (isRelayError(error)) return [error.code]
    throw error
  }
}

export function applied(message: Message, change: MessageChange): Message {
  return change.message ?? message
}
