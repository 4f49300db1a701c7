import { deliveryFilter } from '../../contract/delivery-schema.js'
import { parse } from '../../contract/schema/parse.js'
import { RelayError } from '../../errors.js'
import { needFullScope } from '../http/authenticate.js'
import { param } from '../http/exchange.js'
import { filterParameter } from '../http/request-body.js'
import type { Routes } from '../http/route.js'
import type { DeliveryLogService } from '../services/webhooks/delivery-log-service.js'
import { deliveryEnvelope } from './resource-json.js'

/** The logged attempts of a subscription, and one more of them (README: extensions). */
export function deliveryRoutes(deliveries: DeliveryLogService): Routes {
  return {
    '/subscription/:id/delivery': {
      GET: async ({ caller, request, base }) => {
        needFullScope(caller)
        const query = parse(deliveryFilter, filterParameter(request.query.filter))
        const found = await deliveries.list(caller.account, param(request, 'id'), {
          ...query,
          before: query.before,
        })
        return JSON.stringify({ deliveries: found.map(each => deliveryEnvelope(each, base)) })
      },
    },
    '/subscription/:id/delivery/:sequence/resend': {
      POST: async ({ caller, request, base }) => {
        needFullScope(caller)
        const sequence = sequenceOf(param(request, 'sequence'))
        const made = await deliveries.resend(caller.account, param(request, 'id'), sequence)
        return JSON.stringify(deliveryEnvelope(made, base))
      },
    },
  }
}

function sequenceOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new RelayError('not_found', 'An event is named by its sequence, a whole number from 1 on.')
}
