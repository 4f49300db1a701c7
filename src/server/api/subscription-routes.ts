import { parse } from '../../contract/schema/parse.js'
import {
  replayRequest,
  skipRequest,
  subscriptionCreate,
  subscriptionEdit,
  subscriptionView,
} from '../../contract/subscription-schema.js'
import { eventNames } from '../../domain/webhook/event.js'
import type { RoutedRequest } from '../../net/server/routed-request.js'
import { needFullScope } from '../http/authenticate.js'
import { type Handler, param } from '../http/exchange.js'
import { readFields } from '../http/request-body.js'
import type { Routes } from '../http/route.js'
import type { SubscriptionService } from '../services/webhooks/subscription-service.js'
import { subscriptionEnvelope } from './resource-json.js'

/** The subscription resource (SPEC.md section 4.3). */
export function subscriptionRoutes(subscriptions: SubscriptionService): Routes {
  return {
    '/subscription/events': {
      GET: async ({ caller }) => {
        needFullScope(caller)
        return JSON.stringify({ events: eventNames })
      },
    },
    '/subscription': { GET: listHandler(subscriptions), POST: createHandler(subscriptions) },
    '/subscription/:id': {
      GET: async ({ caller, request, base }) => {
        needFullScope(caller)
        const found = await subscriptions.get(caller.account, param(request, 'id'))
        return JSON.stringify(subscriptionEnvelope(found, base, isExtended(request)))
      },
      PATCH: editHandler(subscriptions),
      DELETE: async ({ caller, request }) => {
        needFullScope(caller)
        const id = param(request, 'id')
        await subscriptions.remove(caller.account, id)
        return JSON.stringify({ subscription: { id } })
      },
    },
    '/subscription/:id/pause': { PUT: switchHandler(subscriptions, 'pause') },
    '/subscription/:id/resume': { PUT: switchHandler(subscriptions, 'resume') },
    '/subscription/:id/skip': { PUT: skipHandler(subscriptions) },
    '/subscription/:id/replay': { PUT: replayHandler(subscriptions) },
  }
}

/** Whether a request asks for the state of the lane, too: the interface has six fields, no more (SPEC.md section 2.3). */
function isExtended({ query }: RoutedRequest): boolean {
  return parse(subscriptionView, { extended: query.extended }).extended
}

function listHandler(subscriptions: SubscriptionService): Handler {
  return async ({ caller, request, base }) => {
    needFullScope(caller)
    const extended = isExtended(request)
    const found = await subscriptions.list(caller.account)
    const shown = found.map(each => subscriptionEnvelope(each, base, extended))
    return JSON.stringify({ subscriptions: shown })
  }
}

function createHandler(subscriptions: SubscriptionService): Handler {
  return async ({ caller, request, base }) => {
    needFullScope(caller)
    const extended = isExtended(request)
    const { on_exhausted: onExhausted, ...draft } = parse(
      subscriptionCreate,
      await readFields(request),
    )
    const created = await subscriptions.create(caller.account, { ...draft, onExhausted })
    return JSON.stringify(subscriptionEnvelope(created, base, extended))
  }
}

function editHandler(subscriptions: SubscriptionService): Handler {
  return async ({ caller, request, base }) => {
    needFullScope(caller)
    const id = param(request, 'id')
    const extended = isExtended(request)
    await subscriptions.get(caller.account, id)
    const fields = parse(subscriptionEdit, await readFields(request))
    const { event, url, method, post, on_exhausted: onExhausted } = fields
    const changes = {
      ...(url === undefined ? {} : { url }),
      ...(method === undefined ? {} : { method }),
      ...(post === undefined ? {} : { post }),
      ...(onExhausted === undefined ? {} : { onExhausted }),
    }
    const edited = await subscriptions.edit(caller.account, id, event, changes)
    return JSON.stringify(subscriptionEnvelope(edited, base, extended))
  }
}

function switchHandler(subscriptions: SubscriptionService, verb: 'pause' | 'resume'): Handler {
  return async ({ caller, request, base }) => {
    needFullScope(caller)
    const changed = await subscriptions[verb](caller.account, param(request, 'id'))
    return JSON.stringify(subscriptionEnvelope(changed, base, true))
  }
}

function skipHandler(subscriptions: SubscriptionService): Handler {
  return async ({ caller, request, base }) => {
    needFullScope(caller)
    const id = param(request, 'id')
    await subscriptions.get(caller.account, id)
    const { sequence } = parse(skipRequest, await readFields(request))
    const changed = await subscriptions.skip(caller.account, id, sequence)
    return JSON.stringify(subscriptionEnvelope(changed, base, true))
  }
}

function replayHandler(subscriptions: SubscriptionService): Handler {
  return async ({ caller, request, base }) => {
    needFullScope(caller)
    const id = param(request, 'id')
    await subscriptions.get(caller.account, id)
    const { from } = parse(replayRequest, await readFields(request))
    const changed = await subscriptions.replay(caller.account, id, from)
    return JSON.stringify(subscriptionEnvelope(changed, base, true))
  }
}
