import { getObjectId } from '../../contract/event-schema.js'
import type { DeliveryFields, TestFields } from '../../contract/webhook/delivery-schema.js'
import { getEventObject } from '../../domain/webhook/event.js'
import type { Column } from '../output/column.js'
import { formatFields } from '../terminal/terminal-text.js'

export function formatDelivery(delivery: DeliveryFields): string {
  return formatFields({
    result: formatResult(delivery),
    event: `${delivery.sequence}, ${delivery.event}`,
    [getEventObject(delivery.event)]: getObjectId(delivery) ?? '-',
    at: `${delivery.at} UTC, ${delivery.ms} ms`,
    ...(delivery.reply === '' ? {} : { response: delivery.reply.trimEnd() }),
  })
}

export function formatTestResult({ status, error, at, ms, reply }: TestFields): string {
  return formatFields({
    result: status === null ? (error ?? 'failed') : String(status),
    at: `${at} UTC, ${ms} ms`,
    ...(reply === '' ? {} : { response: reply.trimEnd() }),
  })
}

export const deliveryColumns: readonly Column<DeliveryFields>[] = [
  { name: 'id', isId: true, isWide: true, read: each => each.id },
  { name: 'at', isTime: true, read: each => each.at },
  { name: 'sequence', read: each => each.sequence },
  { name: 'event', read: each => each.event },
  { name: 'object', isWide: true, read: each => getObjectId(each) },
  {
    name: 'attempt',
    read: each => each.attempt,
    show: ({ attempt, resend }) => (resend ? 'resend' : String(attempt)),
  },
  { name: 'ms', title: 'time', read: each => each.ms, show: ({ ms }) => `${ms} ms` },
  {
    name: 'status',
    title: 'result',
    canTruncate: true,
    read: each => each.status ?? each.error ?? 'failed',
    show: formatResult,
    tone: ({ ok }) => (ok ? 'good' : 'bad'),
  },
  { name: 'reply', title: 'response', canTruncate: true, read: each => each.reply },
]

function formatResult({ status, error, dead }: DeliveryFields): string {
  const result = status === null ? (error ?? 'failed') : String(status)
  return dead ? `${result} (last attempt)` : result
}
