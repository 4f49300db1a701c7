import { RelayError } from '../../errors.js'
import { blockMessage } from './claim.js'
import {
  changeStatus,
  isFinal,
  isWaiting,
  type Message,
  type MessageChange,
  reviseMessage,
  type Status,
  statusNames,
} from './message.js'

/** The message fields that PATCH can change, checked and in stored form. */
export type MessageEdit = Partial<Pick<Message, 'destination' | 'number' | 'text' | 'sendAt'>>

/** Creates a message, and blocks it at once if its number is on a Do Not Text list. */
export function createMessage(message: Message, facts: { blocked: boolean }): MessageChange {
  if (!facts.blocked) return { message, events: ['message.create'] }
  const blocked = blockMessage(message, message.createdAt)
  return { ...blocked, events: ['message.create', 'message.blocked'] }
}

/**
 * Edits a message in N or E, and blocks it if its number is on a Do Not Text list. Throws
 * `invalid_state`.
 */
export function editMessage(
  message: Message,
  changes: MessageEdit,
  now: number,
  facts: { blocked: boolean },
): MessageChange {
  if (!isWaiting(message)) throw invalidStateError(message, 'edited', 'new or error')
  const edited = reviseMessage(message, changes)
  return facts.blocked ? blockMessage(edited, now) : { message: edited }
}

/** Deletes a message: from N, E and L to D for undelete; removes a final message. */
export function deleteMessage(message: Message, now: number): MessageChange {
  if (isFinal(message)) return { message: null }
  const before = message.status
  return { message: changeStatus(message, 'D', now, { before, lease: undefined }) }
}

/** Locks a message in N or E, so that it is not sent. Throws `invalid_state`. */
export function lockMessage(message: Message, now: number): MessageChange {
  if (message.status === 'L') return {}
  if (!isWaiting(message)) throw invalidStateError(message, 'locked', 'new or error')
  return { message: changeStatus(message, 'L', now, { lease: undefined }) }
}

/** Unlocks a message: to N or E, or to B if its number is listed. Throws `invalid_state`. */
export function unlockMessage(
  message: Message,
  now: number,
  facts: { blocked: boolean },
): MessageChange {
  if (message.status !== 'L') throw invalidStateError(message, 'unlocked', 'locked')
  return facts.blocked
    ? blockMessage(message, now)
    : { message: changeStatus(message, getWaitingStatus(message), now) }
}

/** Restores a deleted message, or blocks it if its number is listed. Throws `invalid_state`. */
export function undeleteMessage(
  message: Message,
  now: number,
  facts: { blocked: boolean },
): MessageChange {
  if (message.status !== 'D') throw invalidStateError(message, 'undeleted', 'deleted')
  const restored = reviseMessage(message, { before: undefined })
  const status = message.before === 'L' ? 'L' : getWaitingStatus(message)
  return facts.blocked && status !== 'L'
    ? blockMessage(restored, now)
    : { message: changeStatus(restored, status, now) }
}

function getWaitingStatus(message: Message): Status {
  return message.failures === 0 ? 'N' : 'E'
}

function invalidStateError(message: Message, action: string, allowed: string): RelayError {
  const status = statusNames[message.status]
  return new RelayError(
    'invalid_state',
    `The message is ${status}; only a ${allowed} message can be ${action}.`,
  )
}
