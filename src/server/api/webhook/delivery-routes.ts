import { formatListPage } from '../../../contract/api/list-page.js'
import { toObjectFields } from '../../../contract/event-schema.js'
import {
  type DeliveryReply,
  deliveryFilter,
  type TestReply,
} from '../../../contract/webhook/delivery-schema.js'
import { formatDateTime } from '../../../domain/time/date-time.js'
import type { Delivery } from '../../../domain/webhook/delivery.js'
import { RelayError } from '../../../errors.js'
import { parseFilter } from '../../http/request-query.js'
import { getParam, type RouteHandlers } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'

export function createDeliveryHandlers({
  deliveryLog,
}: ServerContext): RouteHandlers<'listDeliveries' | 'resendEvent' | 'testSubscription'> {
  return {
    listDeliveries: async context => {
      const { caller, request, base } = context
      const { failed, count, before } = parseFilter(deliveryFilter, request)
      const id = getParam(request, 'id')
      const query = { failed, count: count + 1, before }
      return formatListPage(context, {
        name: 'deliveries',
        items: await deliveryLog.list(caller.account, id, query),
        count,
        toReply: each => toDeliveryReply(each, base),
        getNextQuery: last => ({ filter: JSON.stringify({ failed, count, before: last.id }) }),
      })
    },
    testSubscription: async ({ caller, request }) => {
      const result = await deliveryLog.test(caller.account, getParam(request, 'id'))
      const { at, ms, status = null, error = null, ok, request: sent = '', reply = '' } = result
      const test = { at: formatDateTime(at), ms, status, error, ok, request: sent, reply }
      return JSON.stringify({ test } satisfies TestReply)
    },
    resendEvent: async ({ caller, request, base }) => {
      const sequence = parseSequence(getParam(request, 'sequence'))
      const delivery = await deliveryLog.resend(caller.account, getParam(request, 'id'), sequence)
      return JSON.stringify(toDeliveryReply(delivery, base))
    },
  }
}

function toDeliveryReply(delivery: Delivery, base: string): DeliveryReply {
  const { event, message } = delivery
  const one = `${base}/api/1/subscription/${delivery.subscription}`
  return {
    delivery: {
      id: delivery.id,
      sequence: delivery.seq,
      event,
      ...toObjectFields(event, message),
      attempt: delivery.attempt,
      at: formatDateTime(delivery.at),
      ms: delivery.ms,
      status: delivery.status ?? null,
      error: delivery.error ?? null,
      ok: delivery.ok,
      dead: delivery.dead,
      resend: delivery.resend,
      request: delivery.request ?? '',
      reply: delivery.reply ?? '',
    },
    links: {
      list: { method: 'GET', url: `${one}/delivery` },
      resend: { method: 'POST', url: `${one}/delivery/${delivery.seq}/resend` },
      subscription: { method: 'GET', url: one },
    },
  }
}

function parseSequence(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new RelayError(
    'not_found',
    `The sequence of an event is a whole number from 1, not ${text}.`,
  )
}
