import type { Message } from '../../../domain/message/message.js'
import { RelayError } from '../../../errors.js'

export function requireMessage(message: Message | undefined, id: string): Message {
  if (message === undefined || message.status === 'D') throw notAMessageError(id)
  return message
}

export function notAMessageError(id: string): RelayError {
  return new RelayError(
    'not_a_message',
    `There is no message ${id}; list the messages to see their ids.`,
  )
}
