import { deliveryFilter } from '../../contract/delivery-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import { RelayError } from '../../errors.js'
import { requireFullScope } from '../http/authenticate.js'
import { getParam } from '../http/exchange.js'
import { parseFilterParameter } from '../http/request-body.js'
import type { Routes } from '../http/route.js'
import type { DeliveryLogService } from '../services/webhooks/delivery-log-service.js'
import { toDeliveryReply } from './resource-json.js'

/** The logged attempts of a subscription, and one more of them (README: extensions). */
export function createDeliveryRoutes(deliveries: DeliveryLogService): Routes {
  return {
    '/subscription/:id/delivery': {
      GET: async ({ caller, request, base }) => {
        requireFullScope(caller)
        const query = parseInput(deliveryFilter, parseFilterParameter(request.query.filter))
        const found = await deliveries.list(caller.account, getParam(request, 'id'), {
          ...query,
          before: query.before,
        })
        return JSON.stringify({ deliveries: found.map(each => toDeliveryReply(each, base)) })
      },
    },
    '/subscription/:id/delivery/:sequence/resend': {
      POST: async ({ caller, request, base }) => {
        requireFullScope(caller)
        const sequence = parseSequence(getParam(request, 'sequence'))
        const made = await deliveries.resend(caller.account, getParam(request, 'id'), sequence)
        return JSON.stringify(toDeliveryReply(made, base))
      },
    },
  }
}

function parseSequence(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new RelayError('not_found', 'An event is named by its sequence, a whole number from 1 on.')
}
