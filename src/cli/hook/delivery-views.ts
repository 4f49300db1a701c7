import type { DeliveryFields } from '../../contract/delivery-schema.js'
import { objectId } from '../../contract/event-object.js'
import { objectOf } from '../../domain/webhook/event.js'
import { fields, table } from '../terminal/terminal-text.js'

/** An attempt at a delivery, for people. */
export function deliveryView(delivery: DeliveryFields): string {
  return fields({
    result: resultOf(delivery),
    event: `${delivery.sequence}, ${delivery.event}`,
    [objectOf(delivery.event)]: objectId(delivery) ?? '-',
    at: `${delivery.at} UTC, ${delivery.ms} ms`,
    ...(delivery.reply === '' ? {} : { reply: delivery.reply.trimEnd() }),
  })
}

/** Attempts at deliveries one a line, for people. */
export function deliveryTable(deliveries: readonly DeliveryFields[], columns?: number): string {
  const rows = deliveries.map(each => [
    each.at,
    String(each.sequence),
    each.event,
    each.resend ? 'resend' : String(each.attempt),
    `${each.ms} ms`,
    resultOf(each),
    each.reply,
  ])
  return table(['AT (UTC)', 'SEQUENCE', 'EVENT', 'TRY', 'TOOK', 'RESULT', 'REPLY'], rows, columns)
}

function resultOf({ status, error, dead }: DeliveryFields): string {
  const result = status === null ? (error ?? 'failed') : String(status)
  return dead ? `${result} (given up)` : result
}
