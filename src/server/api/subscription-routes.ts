import { parseInput } from '../../contract/schema/parse.js'
import {
  replayRequest,
  skipRequest,
  subscriptionCreate,
  subscriptionEdit,
  subscriptionView,
} from '../../contract/subscription-schema.js'
import { eventNames } from '../../domain/webhook/event.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import { requireFullScope } from '../http/authenticate.js'
import { getParam, type RouteHandler } from '../http/exchange.js'
import { readFields } from '../http/request-body.js'
import type { Routes } from '../http/route.js'
import type { SubscriptionService } from '../services/webhooks/subscription-service.js'
import { toSubscriptionReply } from './resource-json.js'

/** The subscription resource (SPEC.md section 4.3). */
export function createSubscriptionRoutes(subscriptions: SubscriptionService): Routes {
  return {
    '/subscription/events': {
      GET: async ({ caller }) => {
        requireFullScope(caller)
        return JSON.stringify({ events: eventNames })
      },
    },
    '/subscription': {
      GET: createListHandler(subscriptions),
      POST: createCreateHandler(subscriptions),
    },
    '/subscription/:id': {
      GET: async ({ caller, request, base }) => {
        requireFullScope(caller)
        const found = await subscriptions.get(caller.account, getParam(request, 'id'))
        return JSON.stringify(toSubscriptionReply(found, base, isExtended(request)))
      },
      PATCH: createEditHandler(subscriptions),
      DELETE: async ({ caller, request }) => {
        requireFullScope(caller)
        const id = getParam(request, 'id')
        await subscriptions.remove(caller.account, id)
        return JSON.stringify({ subscription: { id } })
      },
    },
    '/subscription/:id/pause': { PUT: createSwitchHandler(subscriptions, 'pause') },
    '/subscription/:id/resume': { PUT: createSwitchHandler(subscriptions, 'resume') },
    '/subscription/:id/skip': { PUT: createSkipHandler(subscriptions) },
    '/subscription/:id/replay': { PUT: createReplayHandler(subscriptions) },
  }
}

/** Whether a request asks for the state of the lane, too: the interface has six fields, no more (SPEC.md section 2.3). */
function isExtended({ query }: HttpRequest): boolean {
  return parseInput(subscriptionView, { extended: query.extended }).extended
}

function createListHandler(subscriptions: SubscriptionService): RouteHandler {
  return async ({ caller, request, base }) => {
    requireFullScope(caller)
    const extended = isExtended(request)
    const found = await subscriptions.list(caller.account)
    const shown = found.map(each => toSubscriptionReply(each, base, extended))
    return JSON.stringify({ subscriptions: shown })
  }
}

function createCreateHandler(subscriptions: SubscriptionService): RouteHandler {
  return async ({ caller, request, base }) => {
    requireFullScope(caller)
    const extended = isExtended(request)
    const { on_exhausted: onExhausted, ...draft } = parseInput(
      subscriptionCreate,
      await readFields(request),
    )
    const created = await subscriptions.create(caller.account, { ...draft, onExhausted })
    return JSON.stringify(toSubscriptionReply(created, base, extended))
  }
}

function createEditHandler(subscriptions: SubscriptionService): RouteHandler {
  return async ({ caller, request, base }) => {
    requireFullScope(caller)
    const id = getParam(request, 'id')
    const extended = isExtended(request)
    await subscriptions.get(caller.account, id)
    const fields = parseInput(subscriptionEdit, await readFields(request))
    const { event, url, method, post, on_exhausted: onExhausted } = fields
    const changes = {
      ...(url === undefined ? {} : { url }),
      ...(method === undefined ? {} : { method }),
      ...(post === undefined ? {} : { post }),
      ...(onExhausted === undefined ? {} : { onExhausted }),
    }
    const edited = await subscriptions.edit(caller.account, id, event, changes)
    return JSON.stringify(toSubscriptionReply(edited, base, extended))
  }
}

function createSwitchHandler(
  subscriptions: SubscriptionService,
  verb: 'pause' | 'resume',
): RouteHandler {
  return async ({ caller, request, base }) => {
    requireFullScope(caller)
    const changed = await subscriptions[verb](caller.account, getParam(request, 'id'))
    return JSON.stringify(toSubscriptionReply(changed, base, true))
  }
}

function createSkipHandler(subscriptions: SubscriptionService): RouteHandler {
  return async ({ caller, request, base }) => {
    requireFullScope(caller)
    const id = getParam(request, 'id')
    await subscriptions.get(caller.account, id)
    const { sequence } = parseInput(skipRequest, await readFields(request))
    const changed = await subscriptions.skip(caller.account, id, sequence)
    return JSON.stringify(toSubscriptionReply(changed, base, true))
  }
}

function createReplayHandler(subscriptions: SubscriptionService): RouteHandler {
  return async ({ caller, request, base }) => {
    requireFullScope(caller)
    const id = getParam(request, 'id')
    await subscriptions.get(caller.account, id)
    const { from } = parseInput(replayRequest, await readFields(request))
    const changed = await subscriptions.replay(caller.account, id, from)
    return JSON.stringify(toSubscriptionReply(changed, base, true))
  }
}
