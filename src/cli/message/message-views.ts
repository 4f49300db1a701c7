// Output of the commands `message`, `mailbox` and `url`:
//
// - `message-views` and `received-text-views` format messages and received texts.
// - `mailbox-views` and `secret-url-views` format mailboxes and secret URLs, and read the flags
//   that create them.
// - `send-time` parses the time of `message send --at`.
// - `wait-for-message` polls a message until it is final, for `message send --wait`.
//
// The commands call the relay; the files here only convert flags and results.
import type { MessageFields } from '../../contract/message-schema.js'
import { statusNames } from '../../domain/message/message.js'
import { formatFields, formatTable, toOneLine } from '../terminal/terminal-text.js'

export function formatMessage(message: MessageFields): string {
  return formatFields({
    id: message.id,
    to: message.destination,
    status: `${statusNames[message.status]} (since ${message.status_date} UTC)`,
    created: `${message.created_on} UTC, by ${message.source}`,
    send: `${message.send_on} UTC`,
    failures: message.failure_count,
    ...formatReported(message),
    text: message.message,
  })
}

/** What phones and networks reported of a message. */
function formatReported({
  last_error: error,
  retry_on: retry,
  parts,
  phone,
  delivery,
}: MessageFields) {
  return {
    ...(error === undefined ? {} : { 'last error': error }),
    ...(retry === undefined ? {} : { 'next attempt': `${retry} UTC` }),
    ...(parts === undefined ? {} : { parts }),
    ...(phone === undefined ? {} : { phone }),
    ...(delivery === undefined ? {} : { delivery: formatDelivery(delivery) }),
  }
}

function formatDelivery(delivery: NonNullable<MessageFields['delivery']>): string {
  const { state, at, reason, parts, delivered } = delivery
  const count = parts === 1 ? '' : `, ${delivered} of ${parts} parts delivered`
  return `${state} (${at} UTC${count})${reason === undefined ? '' : `: ${reason}`}`
}

function formatStatus({ status, delivery }: MessageFields): string {
  const name = statusNames[status]
  return delivery === undefined ? name : `${name}, ${delivery.state}`
}

export function formatMessageTable(messages: readonly MessageFields[], columns?: number): string {
  const rows = messages.map(each => [
    each.id,
    formatStatus(each),
    each.destination,
    each.send_on,
    each.message,
  ])
  return formatTable(['ID', 'STATUS', 'TO', 'SEND ON (UTC)', 'TEXT'], rows, columns)
}

/** A line of `message watch`; without an answer of the relay it has only the id of the message. */
export interface WatchedMessage {
  readonly event: string
  readonly sequence: number
  readonly at: string
  readonly message: MessageFields | { readonly id: string }
}

export function formatWatchedMessage({ event, at, message }: WatchedMessage): string {
  const name = event.replace('message.', '')
  const details = 'destination' in message ? ` ${message.destination} ${message.message}` : ''
  const error = 'last_error' in message ? ` (${message.last_error})` : ''
  return toOneLine(`${at.slice(11)}Z ${name} ${message.id}${details}${error}`)
}
