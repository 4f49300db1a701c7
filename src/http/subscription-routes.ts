import { parse } from '../contract/parse.js'
import { subscriptionCreate, subscriptionEdit } from '../contract/subscription.js'
import { eventNames } from '../domain/events.js'
import type { SubscriptionService } from '../services/subscriptions.js'
import { needFullScope } from './auth.js'
import { type Fields, readFields } from './body.js'
import { type Handler, param } from './exchange.js'
import { subscriptionEnvelope } from './present.js'
import type { Routes } from './routes.js'

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
        return JSON.stringify(subscriptionEnvelope(found, base))
      },
      PATCH: editHandler(subscriptions),
      DELETE: async ({ caller, request }) => {
        needFullScope(caller)
        const id = param(request, 'id')
        await subscriptions.remove(caller.account, id)
        return JSON.stringify({ subscription: { id } })
      },
    },
  }
}

function listHandler(subscriptions: SubscriptionService): Handler {
  return async ({ caller, base }) => {
    needFullScope(caller)
    const found = await subscriptions.list(caller.account)
    return JSON.stringify({ subscriptions: found.map(each => subscriptionEnvelope(each, base)) })
  }
}

function createHandler(subscriptions: SubscriptionService): Handler {
  return async ({ caller, request, base }) => {
    needFullScope(caller)
    const draft = parse(subscriptionCreate, await readFields(request))
    const created = await subscriptions.create(caller.account, draft)
    return JSON.stringify(subscriptionEnvelope(created, base))
  }
}

function editHandler(subscriptions: SubscriptionService): Handler {
  return async ({ caller, request, base }) => {
    needFullScope(caller)
    const id = param(request, 'id')
    await subscriptions.get(caller.account, id)
    const fields: Fields = await readFields(request)
    const { event, url, method, post } = parse(subscriptionEdit, fields)
    const changes = {
      ...(url === undefined ? {} : { url }),
      ...(method === undefined ? {} : { method }),
      ...(post === undefined ? {} : { post }),
    }
    const edited = await subscriptions.edit(caller.account, id, event, changes)
    return JSON.stringify(subscriptionEnvelope(edited, base))
  }
}
