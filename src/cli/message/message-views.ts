// Output of the commands `message`, `mailbox` and `url`:
//
// - `message-views` and `received-text-views` format messages and received texts.
// - `mailbox-views` and `secret-url-views` format mailboxes and secret URLs, and read the flags
//   that create them.
// - `send-time` parses the time of `message send --at`.
// - `wait-for-message` polls a message until it is final, for `message send --wait`.
//
// The commands call the relay; the files here only convert flags and results.
import type { AttemptFields } from '../../contract/message/attempt-schema.js'
import type { MessageFields } from '../../contract/message-schema.js'
import { describeFailure, explainFailure } from '../../domain/message/failure-reason.js'
import { statusNames } from '../../domain/message/message.js'
import type { Column, Tone } from '../output/column.js'
import { formatRecord } from '../output/record-text.js'
import { toOneLine, truncate } from '../terminal/terminal-text.js'

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
  {
    name: 'send_on',
    title: 'send on',
    isTime: true,
    isOptional: true,
    read: each => each.send_on,
  },
  { name: 'failure_count', title: 'failures', isWide: true, read: each => each.failure_count },
  {
    name: 'reason',
    canTruncate: true,
    read: each => (hasReason(each) ? formatReason(each) : undefined),
    show: each => truncate(formatReason(each), maxReason),
  },
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
  { name: 'message', title: 'text', canTruncate: true, read: each => each.message },
]

export const detailColumns: readonly Column<MessageFields>[] = [
  ...messageColumns.filter(({ name }) => name !== 'reason' && name !== 'message'),
  {
    name: 'lease',
    title: 'with phone',
    isOptional: true,
    read: each => each.lease && (each.lease.phone ?? each.lease.ends_on),
    show: ({ lease }) => (lease === undefined ? '' : formatLease(lease)),
  },
  {
    name: 'attempts',
    read: each => (each.attempts?.length ? each.attempts.map(formatAttempt) : undefined),
    show: each => each.attempts?.map(formatAttempt).join('\n') ?? '',
  },
  ...messageColumns.filter(({ name }) => name === 'message'),
]

/** Terminal columns of the reason in a table. */
const maxReason = 48

const statusTones: Readonly<Partial<Record<MessageFields['status'], Tone>>> = {
  S: 'good',
  E: 'warning',
  F: 'bad',
  B: 'warning',
}

export function formatMessage(message: MessageFields): string {
  return formatRecord(message, detailColumns)
}

export function formatFailedAttempt(message: MessageFields): string {
  const { failure_count: count, last_error: error = '', retry_on: next } = message
  const then = next === undefined ? '' : ` The next one is at ${next} UTC.`
  return `Attempt ${count} failed: ${toOneLine(describeFailure(error))}${then}`
}

function hasReason({ status, last_error: error }: MessageFields): boolean {
  return error !== undefined && error !== '' && (status === 'E' || status === 'F' || status === 'L')
}

function formatReason({ last_error: error = '' }: MessageFields): string {
  return toOneLine(explainFailure(error) ?? error)
}

function formatAttempt({ at, began_on, outcome, phone, error }: AttemptFields): string {
  const name = phone === undefined ? '' : ` by ${phone}`
  const by = began_on === undefined ? name : `${name}, claimed ${began_on} UTC`
  const reason = error === undefined ? '' : `: ${toOneLine(describeFailure(error))}`
  return `${at} UTC, ${outcome}${by}${reason}`
}

function formatLease({ phone, began_on, ends_on }: NonNullable<MessageFields['lease']>): string {
  const name = phone === undefined ? '' : `${toOneLine(phone)}, `
  return `${name}since ${began_on} UTC, until ${ends_on} UTC without a report`
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
