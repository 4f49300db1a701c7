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
import type { Column, Tone } from '../output/column.js'
import { formatRecord } from '../output/record-text.js'
import { toOneLine } from '../terminal/terminal-text.js'

/** Columns of a message; `message get` shows all, with `last_error` as the reason of a failure. */
export const messageColumns: readonly Column<MessageFields>[] = [
  { name: 'id', isId: true, read: each => each.id },
  {
    name: 'status',
    read: each => statusNames[each.status],
    show: formatStatus,
    tone: ({ status }) => statusTones[status],
  },
  {
    name: 'status_date',
    title: 'since',
    isTime: true,
    isWide: true,
    read: each => each.status_date,
  },
  { name: 'destination', title: 'to', read: each => each.destination },
  { name: 'source', isWide: true, read: each => each.source },
  {
    name: 'created_on',
    title: 'created',
    isTime: true,
    isWide: true,
    read: each => each.created_on,
  },
  { name: 'send_on', title: 'send on', isTime: true, read: each => each.send_on },
  { name: 'failure_count', title: 'failures', isWide: true, read: each => each.failure_count },
  { name: 'last_error', isWide: true, read: each => each.last_error },
  {
    name: 'retry_on',
    title: 'next attempt',
    isTime: true,
    isWide: true,
    read: each => each.retry_on,
  },
  { name: 'parts', isWide: true, read: each => each.parts },
  { name: 'phone', isWide: true, read: each => each.phone },
  {
    name: 'delivery',
    isWide: true,
    read: each => each.delivery?.state,
    show: ({ delivery }) => (delivery === undefined ? '' : formatDelivery(delivery)),
  },
  { name: 'message', title: 'text', read: each => each.message },
]

const statusTones: Readonly<Partial<Record<MessageFields['status'], Tone>>> = {
  S: 'good',
  E: 'warning',
  F: 'bad',
  B: 'warning',
}

export function formatMessage(message: MessageFields): string {
  return formatRecord(message, messageColumns)
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
