import { RelayError } from '../../errors.js'
import type { DeliveryMode } from '../account/account.js'
import { blockMessage, dropLease } from './claim.js'
import {
  changeStatus,
  isFinal,
  isStopped,
  isWaiting,
  type Lease,
  type Message,
  type MessageChange,
  reviseMessage,
  type Status,
  statusNames,
} from './message.js'

export type MessageEdit = Partial<Pick<Message, 'destination' | 'number' | 'text' | 'sendAt'>> & {
  readonly flash?: true | undefined
}

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
  if (!isWaiting(message)) throw invalidStateError(message, 'edited', 'a new or error')
  // An edited confirmation of an opt-out is an ordinary message.
  const lease = removeClaim(message)
  const edited = reviseMessage(message, { ...changes, confirmsOptOut: undefined, lease })
  return facts.blocked ? blockMessage(edited, now) : { message: edited }
}

/**
 * Deletes a message: from N, E and L to D for undelete, with its lease; removes a final message.
 */
export function deleteMessage(message: Message, now: number): MessageChange {
  if (isFinal(message)) return { message: null }
  const before = message.status
  return { message: changeStatus(message, 'D', now, { before, lease: removeClaim(message) }) }
}

/** Locks a message in N or E, so that it is not sent; its lease goes on. Throws `invalid_state`. */
export function lockMessage(message: Message, now: number): MessageChange {
  if (message.status === 'L') return {}
  if (!isWaiting(message)) throw invalidStateError(message, 'locked', 'a new or error')
  return { message: changeStatus(message, 'L', now, { lease: removeClaim(message) }) }
}

/**
 * Unlocks a message: to N or E, or to B if its number is listed. A lease that runs goes on; one
 * that ended without a report is dropped, because a person has decided to send the message. Throws
 * `invalid_state`.
 */
export function unlockMessage(
  message: Message,
  now: number,
  facts: { blocked: boolean },
): MessageChange {
  if (message.status !== 'L') throw invalidStateError(message, 'unlocked', 'a locked')
  if (isStopped(message, facts)) return blockMessage(message, now)
  const isLeased = message.lease !== undefined && message.lease.until > now
  const changes = isLeased ? {} : dropLease(message, { now })
  return { message: changeStatus(message, getWaitingStatus(message), now, changes) }
}

/**
 * Makes a message in E due now, unless its `sendAt` is later; blocks it if its number is listed.
 * Throws `invalid_state`.
 */
export function retryMessage(
  message: Message,
  now: number,
  facts: { blocked: boolean },
): MessageChange {
  if (message.status !== 'E') throw invalidStateError(message, 'retried', 'an error')
  if (isStopped(message, facts)) return blockMessage(message, now)
  if (message.retryAt === undefined || message.retryAt <= now) return {}
  return { message: reviseMessage(message, { retryAt: now, lease: removeClaim(message) }) }
}

/**
 * Restores a deleted message with its lease, or blocks it if its number is listed. In at-most-once
 * mode a message that was leased is locked: the phone may have sent it. Throws `invalid_state`,
 * also for a message that was sent again: its recipient would get the text twice.
 */
export function undeleteMessage(
  message: Message,
  now: number,
  facts: { blocked: boolean; isSentAgain?: boolean },
  mode: DeliveryMode,
): MessageChange {
  if (message.status !== 'D') throw invalidStateError(message, 'undeleted', 'a deleted')
  if (facts.isSentAgain === true)
    throw new RelayError(
      'invalid_state',
      'The message was sent again; if it is restored, the recipient gets the text twice.',
    )
  const restored = reviseMessage(message, { before: undefined })
  if (message.before === 'L') return { message: changeStatus(restored, 'L', now) }
  if (message.lease !== undefined && mode === 'at-most-once') {
    const error = 'The message was deleted while a phone had it.'
    return { message: changeStatus(restored, 'L', now, { error }) }
  }
  if (isStopped(restored, facts)) return blockMessage(restored, now)
  return { message: changeStatus(restored, getWaitingStatus(restored), now) }
}

/**
 * A message's lease without its number, so that a batch gives the changed message to the phone
 * again.
 */
function removeClaim({ lease }: Message): Lease | undefined {
  return lease?.claim === undefined ? lease : { holder: lease.holder, until: lease.until }
}

function getWaitingStatus(message: Message): Status {
  return message.failures === 0 ? 'N' : 'E'
}

function invalidStateError(message: Message, action: string, allowed: string): RelayError {
  const status = statusNames[message.status]
  return new RelayError(
    'invalid_state',
    `The message is ${status}; only ${allowed} message can be ${action}.`,
  )
}
