import { RelayError } from '../../errors.js'
import { block } from './claim.js'
import {
  type Change,
  isFinal,
  isWaiting,
  type Message,
  revised,
  type Status,
  statusNames,
  withStatus,
} from './message.js'

/** What PATCH may change, already checked and in stored form. */
export type Edit = Partial<Pick<Message, 'destination' | 'number' | 'text' | 'sendAt'>>

/** Decides the creation of a message: a listed number is created and blocked at once (SPEC.md section 6). */
export function create(message: Message, facts: { blocked: boolean }): Change {
  if (!facts.blocked) return { message, events: ['message.create'] }
  const blocked = block(message, message.createdAt)
  return { ...blocked, events: ['message.create', 'message.blocked'] }
}

/** Decides an edit: only N and E can be edited, and a listed number blocks. Throws `invalid_state`. */
export function edit(
  message: Message,
  changes: Edit,
  now: number,
  facts: { blocked: boolean },
): Change {
  if (!isWaiting(message)) throw stateError(message, 'edited', 'new or error')
  const edited = revised(message, changes)
  return facts.blocked ? block(edited, now) : { message: edited }
}

/** Decides a deletion: N, E and L are kept as D for undelete, a final message is removed for good. */
export function remove(message: Message, now: number): Change {
  if (isFinal(message)) return { message: null }
  const before = message.status
  return { message: withStatus(message, 'D', now, { before, lease: undefined }) }
}

/** Decides a lock: N and E become L and are not sent; a locked message stays so. Throws `invalid_state`. */
export function lock(message: Message, now: number): Change {
  if (message.status === 'L') return {}
  if (!isWaiting(message)) throw stateError(message, 'locked', 'new or error')
  return { message: withStatus(message, 'L', now, { lease: undefined }) }
}

/** Decides an unlock: L becomes N or E, or B where the number is listed. Throws `invalid_state`. */
export function unlock(message: Message, now: number, facts: { blocked: boolean }): Change {
  if (message.status !== 'L') throw stateError(message, 'unlocked', 'locked')
  return facts.blocked ? block(message, now) : { message: withStatus(message, open(message), now) }
}

/** Decides an undelete: D becomes what it was, or B where the number is listed. Throws `invalid_state`. */
export function undelete(message: Message, now: number, facts: { blocked: boolean }): Change {
  if (message.status !== 'D') throw stateError(message, 'undeleted', 'deleted')
  const restored = revised(message, { before: undefined })
  const status = message.before === 'L' ? 'L' : open(message)
  return facts.blocked && status !== 'L'
    ? block(restored, now)
    : { message: withStatus(restored, status, now) }
}

function open(message: Message): Status {
  return message.failures === 0 ? 'N' : 'E'
}

function stateError(message: Message, done: string, only: string): RelayError {
  const is = statusNames[message.status]
  return new RelayError(
    'invalid_state',
    `The message is ${is}; only a ${only} message can be ${done}.`,
  )
}
