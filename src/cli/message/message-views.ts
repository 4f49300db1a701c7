import type { MessageFields } from '../../contract/message-schema.js'
import { statusNames } from '../../domain/message/message.js'
import { formatFields, formatTable } from '../terminal/terminal-text.js'

/** A message, for people. */
export function formatMessage(message: MessageFields): string {
  return formatFields({
    id: message.id,
    to: message.destination,
    status: `${statusNames[message.status]} (since ${message.status_date} UTC)`,
    created: `${message.created_on} UTC, by ${message.source}`,
    send: `${message.send_on} UTC`,
    failures: message.failure_count,
    text: message.message,
  })
}

/** Messages one a line, for people. */
export function formatMessageTable(messages: readonly MessageFields[], columns?: number): string {
  const rows = messages.map(each => [
    each.id,
    statusNames[each.status],
    each.destination,
    each.send_on,
    each.message,
  ])
  return formatTable(['ID', 'STATUS', 'TO', 'SEND ON (UTC)', 'TEXT'], rows, columns)
}
