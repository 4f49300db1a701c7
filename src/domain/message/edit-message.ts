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

/** What PATCH may change, already checked and in stored form. */
export type MessageEdit = Partial<Pick<Message, 'destination' | 'number' | 'text' | 'sendAt'>>

/** Decides the creation of a message: a listed number is created and blocked at once (SPEC.md section 6). */
export function createMessage(message: Message, facts: { blocked: boolean }): MessageChange {
  if (!facts.blocked) return { message, events: ['message.create'] }
  const blocked = blockMessage(message, message.createdAt)
  return { ...blocked, events: ['message.create', 'message.blocked'] }
}

/** Decides an edit: only N and E can be edited, and a listed number blocks. Throws `invalid_state`. */
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

/** Decides a deletion: N, E and L are kept as D for undelete, a final message is removed for good. */
export function deleteMessage(message: Message, now: number): MessageChange {
  if (isFinal(message)) return { message: null }
  const before = message.status
  return { message: changeStatus(message, 'D', now, { before, lease: undefined }) }
}

/** Decides a lock: N and E become L and are not sent; a locked message stays so. Throws `invalid_state`. */
export function lockMessage(message: Message, now: number): MessageChange {
  if (message.status === 'L') return {}
  if (!isWaiting(message)) throw invalidStateError(message, 'locked', 'new or error')
  return { message: changeStatus(message, 'L', now, { lease: undefined }) }
}

/** Decides an unlock: L becomes N or E, or B where the number is listed. Throws `invalid_state`. */
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

/** Decides an undelete: D becomes what it was, or B where the number is listed. Throws `invalid_state`. */
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

function invalidStateError(message: Message, done: string, only: string): RelayError {
  const is = statusNames[message.status]
  return new RelayError(
    'invalid_state',
    `The message is ${is}; only a ${only} message can be ${done}.`,
  )
}
