import { RelayError } from '../../errors.js'
import type { DeliveryMode } from '../account/account.js'
import {
  deleteMessage,
  lockMessage,
  retryMessage,
  undeleteMessage,
  unlockMessage,
} from './edit-message.js'
import type { Message, MessageChange, Status } from './message.js'

export const bulkActions = {
  retry: ['E'],
  again: ['F'],
  cancel: ['N', 'E', 'L'],
  lock: ['N', 'E'],
  unlock: ['L'],
  delete: ['S', 'F', 'B'],
  undelete: ['D'],
} as const satisfies Record<string, readonly Status[]>

export type BulkAction = keyof typeof bulkActions

export type BulkChange = Exclude<BulkAction, 'again'>

export function allowsBulkAction(action: BulkAction, { status }: Pick<Message, 'status'>): boolean {
  return bulkActions[action].some(allowed => allowed === status)
}

export interface BulkFacts {
  readonly blocked: boolean
  readonly isSentAgain?: boolean
  readonly now: number
  readonly mode: DeliveryMode
}

/** Changes a message as one of many. Throws `invalid_state` if its state does not allow it. */
export function decideBulkAction(
  action: BulkChange,
  message: Message,
  { now, mode, ...facts }: BulkFacts,
): MessageChange {
  if (!allowsBulkAction(action, message))
    throw new RelayError('invalid_state', 'The message has another state now.')
  switch (action) {
    case 'retry':
      return retryMessage(message, now, facts)
    case 'lock':
      return lockMessage(message, now)
    case 'unlock':
      return unlockMessage(message, now, facts)
    case 'undelete':
      return undeleteMessage(message, now, facts, mode)
    default:
      return deleteMessage(message, now)
  }
}
