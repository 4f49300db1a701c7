import {
  type ReceivedReply,
  receivedQuery,
  receivedReport,
} from '../../contract/received-text-schema.js'
import { parse } from '../../contract/schema/parse.js'
import type { Received } from '../../domain/phone/received-text.js'
import { formatDateTime, parseDateTime } from '../../domain/time/date-time.js'
import { needFullScope } from '../http/authenticate.js'
import { param } from '../http/exchange.js'
import { readFields } from '../http/request-body.js'
import { idempotencyKey } from '../http/request-headers.js'
import type { Routes } from '../http/route.js'
import type { ReceivedService } from '../services/phones/received-text-service.js'

/** Texts that reached phones (extension): told of with any token, read with one of full scope. */
export function receivedRoutes(received: ReceivedService): Routes {
  return {
    '/message/received': {
      GET: async ({ caller, request, base }) => {
        needFullScope(caller)
        const { count, before } = parse(receivedQuery, request.query)
        const page = await received.list(caller.account, count, before)
        return JSON.stringify({ received: page.map(each => receivedEnvelope(each, base)) })
      },
      POST: async ({ caller, request, base }) => {
        const key = idempotencyKey(request)
        const report = parse(receivedReport, await readFields(request))
        const { from, message: text, received_on: on, phone } = report
        const receivedAt = on === undefined ? undefined : parseDateTime(on)
        const draft = { from, text, receivedAt, phone }
        const kept = await received.accept(caller.account, draft, key)
        return JSON.stringify(receivedEnvelope(kept, base))
      },
    },
    '/message/received/:id': {
      GET: async ({ caller, request, base }) => {
        needFullScope(caller)
        const found = await received.get(caller.account, param(request, 'id'))
        return JSON.stringify(receivedEnvelope(found, base))
      },
    },
  }
}

/** A received text with its links (README: received texts). */
function receivedEnvelope(received: Received, base: string): ReceivedReply {
  const { id, from, number = null, text: message, receivedAt, phone = null, word = null } = received
  const all = `${base}/api/1/message/received`
  return {
    received: {
      ...{ id, from, number, message },
      received_on: formatDateTime(receivedAt),
      ...{ phone, word },
    },
    links: {
      list: { method: 'GET', url: all },
      new: { method: 'POST', url: all },
      get: { method: 'GET', url: `${all}/${id}` },
    },
  }
}
