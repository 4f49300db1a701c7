import { getObjectId } from '../../contract/event-schema.js'
import type { DeliveryFields, TestFields } from '../../contract/webhook/delivery-schema.js'
import { getEventObject } from '../../domain/webhook/event.js'
import { formatFields, formatTable } from '../terminal/terminal-text.js'

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

export function formatDeliveryTable(
  deliveries: readonly DeliveryFields[],
  columns?: number,
): string {
  const rows = deliveries.map(each => [
    each.at,
    String(each.sequence),
    each.event,
    each.resend ? 'resend' : String(each.attempt),
    `${each.ms} ms`,
    formatResult(each),
    each.reply,
  ])
  const head = ['AT (UTC)', 'SEQUENCE', 'EVENT', 'ATTEMPT', 'TIME', 'RESULT', 'RESPONSE']
  return formatTable(head, rows, columns)
}

function formatResult({ status, error, dead }: DeliveryFields): string {
  const result = status === null ? (error ?? 'failed') : String(status)
  return dead ? `${result} (last attempt)` : result
}
