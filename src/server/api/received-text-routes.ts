import {
  type ReceivedTextReply,
  receivedTextQuery,
  receivedTextReport,
} from '../../contract/received-text-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import type { ReceivedText } from '../../domain/phone/received-text.js'
import { formatDateTime, parseDateTime } from '../../domain/time/date-time.js'
import { requireFullScope } from '../http/authenticate.js'
import { getParam } from '../http/exchange.js'
import { readFields } from '../http/request-body.js'
import { getIdempotencyKey } from '../http/request-headers.js'
import type { Routes } from '../http/route.js'
import type { ReceivedTextService } from '../services/phones/received-text-service.js'

/** Texts that reached phones (extension): told of with any token, read with one of full scope. */
export function createReceivedTextRoutes(received: ReceivedTextService): Routes {
  return {
    '/message/received': {
      GET: async ({ caller, request, base }) => {
        requireFullScope(caller)
        const { count, before } = parseInput(receivedTextQuery, request.query)
        const page = await received.list(caller.account, count, before)
        return JSON.stringify({ received: page.map(each => toReceivedTextReply(each, base)) })
      },
      POST: async ({ caller, request, base }) => {
        const key = getIdempotencyKey(request)
        const report = parseInput(receivedTextReport, await readFields(request))
        const { from, message: text, received_on: on, phone } = report
        const receivedAt = on === undefined ? undefined : parseDateTime(on)
        const draft = { from, text, receivedAt, phone }
        const kept = await received.accept(caller.account, draft, key)
        return JSON.stringify(toReceivedTextReply(kept, base))
      },
    },
    '/message/received/:id': {
      GET: async ({ caller, request, base }) => {
        requireFullScope(caller)
        const found = await received.get(caller.account, getParam(request, 'id'))
        return JSON.stringify(toReceivedTextReply(found, base))
      },
    },
  }
}

/** A received text with its links (README: received texts). */
function toReceivedTextReply(received: ReceivedText, base: string): ReceivedTextReply {
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
