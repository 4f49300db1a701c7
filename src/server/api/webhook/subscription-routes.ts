// The handlers of webhooks and events. `api-routes` mounts them with those of messages.
//
// - subscription-routes: subscriptions and their control, and the secrets that sign webhooks
// - delivery-routes: the log of webhook deliveries, resend and test
// - event-routes: the account's events in pages, or as an event stream
import { buildAfterQuery, formatListPage, skipTo } from '../../../contract/api/list-page.js'
import { parseInput } from '../../../contract/schema/parse.js'
import {
  replayRequest,
  type SubscriptionFields,
  type SubscriptionReply,
  skipRequest,
  subscriptionCreate,
  subscriptionEdit,
  subscriptionQuery,
  subscriptionView,
} from '../../../contract/subscription-schema.js'
import { buildListKey } from '../../../domain/list-key.js'
import { formatDateTime } from '../../../domain/time/date-time.js'
import { eventNames } from '../../../domain/webhook/event.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import type { SubscriptionListener } from '../../../domain/webhook/subscription-listener.js'
import {
  getNextRetryTime,
  getSubscriptionState,
} from '../../../domain/webhook/subscription-state.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import { readFields } from '../../http/request-body.js'
import { createEntityTag, getPrecondition, type Precondition } from '../../http/request-headers.js'
import { getQuery, parseQuery } from '../../http/request-query.js'
import { getParam, type RouteHandler, type RouteHandlers, setNoStore } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { toSubscriptionChanges, toSubscriptionDraft } from '../../http/subscription-fields.js'
import type { SubscriptionService } from '../../services/webhooks/subscription-service.js'

type ResourceOperation =
  | 'listEventNames'
  | 'listSubscriptions'
  | 'createSubscription'
  | 'getSubscription'
  | 'editSubscription'
  | 'deleteSubscription'
type StateOperation = 'pauseSubscription' | 'resumeSubscription' | 'skipEvent' | 'replayEvents'
type SecretOperation =
  | 'getSigningSecret'
  | 'rotateSigningSecret'
  | 'getSubscriptionSecret'
  | 'rotateSubscriptionSecret'
  | 'removeSubscriptionSecret'

export function createSubscriptionHandlers(
  context: ServerContext,
): RouteHandlers<ResourceOperation | StateOperation | SecretOperation> {
  const { subscriptions } = context
  return {
    ...createResourceHandlers(subscriptions),
    ...createStateHandlers(subscriptions),
    ...createSecretHandlers(context),
  }
}

function createResourceHandlers(
  subscriptions: SubscriptionService,
): RouteHandlers<ResourceOperation> {
  return {
    listEventNames: async () => JSON.stringify({ events: eventNames }),
    listSubscriptions: async context => {
      const { caller, request, base } = context
      const { count, after, extended } = parseQuery(subscriptionQuery, request)
      const found = await subscriptions.list(caller.account)
      return formatListPage(context, {
        name: 'subscriptions',
        items: skipTo(found, after, each => buildListKey(each.createdAt, each.id)),
        count,
        toReply: each => toSubscriptionReply(each, base, extended),
        getNextQuery: ({ createdAt, id }) => buildAfterQuery(createdAt, id),
      })
    },
    createSubscription: async ({ caller, request, base }) => {
      const extended = isExtended(request)
      const fields = parseInput(subscriptionCreate, await readFields(request))
      const created = await subscriptions.create(caller.account, toSubscriptionDraft(fields))
      return JSON.stringify(toSubscriptionReply(created, base, extended))
    },
    getSubscription: async ({ caller, request, response, base }) => {
      const found = await subscriptions.get(caller.account, getParam(request, 'id'))
      response.setHeader('ETag', getSubscriptionTag(found))
      return JSON.stringify(toSubscriptionReply(found, base, isExtended(request)))
    },
    editSubscription: createEditHandler(subscriptions),
    deleteSubscription: async ({ caller, request }) => {
      const id = getParam(request, 'id')
      await subscriptions.remove(caller.account, id, readPrecondition(request))
      return JSON.stringify({ subscription: { id } })
    },
  }
}

/**
 * Whether an API reply has more than the subscription's six fields of the interface (extension).
 */
function isExtended(request: HttpRequest): boolean {
  return parseInput(subscriptionView, { extended: getQuery(request).extended }).extended
}

/**
 * The entity tag of a subscription, which changes with what a client can change; deliveries and the
 * contacts of a listener do not change it.
 */
function getSubscriptionTag(subscription: Subscription): string {
  const { id, url, method, post, hookSecret, paused, listener } = subscription
  const { onExhausted = 'pause', window = 1, schedule = null } = subscription
  const state = [paused?.reason ?? null, hookSecret !== undefined, listener?.name ?? null]
  const names = Object.keys(subscription.headers ?? {})
  const fields = [id, url, method, post, onExhausted, window, schedule, ...state, ...names]
  return createEntityTag(JSON.stringify(fields))
}

function readPrecondition(request: HttpRequest): Precondition<Subscription> | undefined {
  return getPrecondition(request, getSubscriptionTag)
}

/** PATCH of a subscription that does not exist is an error even if the body is invalid. */
function createEditHandler(subscriptions: SubscriptionService): RouteHandler {
  return async ({ caller, request, response, base }) => {
    const id = getParam(request, 'id')
    const extended = isExtended(request)
    await subscriptions.get(caller.account, id)
    const precondition = readPrecondition(request)
    const fields = parseInput(subscriptionEdit, await readFields(request))
    const changes = toSubscriptionChanges(fields)
    const { event } = fields
    const edited = await subscriptions.edit(caller.account, id, event, changes, precondition)
    response.setHeader('ETag', getSubscriptionTag(edited))
    return JSON.stringify(toSubscriptionReply(edited, base, extended))
  }
}

function createStateHandlers(subscriptions: SubscriptionService): RouteHandlers<StateOperation> {
  return {
    pauseSubscription: async ({ caller, request, base }) => {
      const id = getParam(request, 'id')
      const paused = await subscriptions.pause(caller.account, id, readPrecondition(request))
      return JSON.stringify(toSubscriptionReply(paused, base, true))
    },
    resumeSubscription: async ({ caller, request, base }) => {
      const id = getParam(request, 'id')
      const resumed = await subscriptions.resume(caller.account, id, readPrecondition(request))
      return JSON.stringify(toSubscriptionReply(resumed, base, true))
    },
    skipEvent: async ({ caller, request, base }) => {
      const id = getParam(request, 'id')
      await subscriptions.get(caller.account, id)
      const precondition = readPrecondition(request)
      const { sequence } = parseInput(skipRequest, await readFields(request))
      const changed = await subscriptions.skip(caller.account, id, sequence, precondition)
      return JSON.stringify(toSubscriptionReply(changed, base, true))
    },
    replayEvents: async ({ caller, request, base }) => {
      const id = getParam(request, 'id')
      await subscriptions.get(caller.account, id)
      const precondition = readPrecondition(request)
      const { from } = parseInput(replayRequest, await readFields(request))
      const changed = await subscriptions.replay(caller.account, id, from, precondition)
      return JSON.stringify(toSubscriptionReply(changed, base, true))
    },
  }
}

function createSecretHandlers({ signingSecrets }: ServerContext): RouteHandlers<SecretOperation> {
  return {
    getSigningSecret: async ({ caller, response }) => {
      setNoStore(response)
      return JSON.stringify({ secret: await signingSecrets.get(caller.account) })
    },
    rotateSigningSecret: async ({ caller, response }) => {
      setNoStore(response)
      return JSON.stringify({ secret: await signingSecrets.rotate(caller.account) })
    },
    getSubscriptionSecret: async ({ caller, request, response }) => {
      setNoStore(response)
      const id = getParam(request, 'id')
      return JSON.stringify(await signingSecrets.getForSubscription(caller.account, id))
    },
    rotateSubscriptionSecret: async ({ caller, request, response }) => {
      setNoStore(response)
      const id = getParam(request, 'id')
      return JSON.stringify(await signingSecrets.rotateForSubscription(caller.account, id))
    },
    removeSubscriptionSecret: async ({ caller, request, response }) => {
      setNoStore(response)
      const id = getParam(request, 'id')
      return JSON.stringify(await signingSecrets.removeForSubscription(caller.account, id))
    },
  }
}

function toSubscriptionReply(
  subscription: Subscription,
  base: string,
  isExtended: boolean,
): SubscriptionReply {
  const { id, event, url, method, post, triggered } = subscription
  const all = `${base}/api/1/subscription`
  const one = `${all}/${id}`
  return {
    subscription: {
      id,
      event,
      url,
      method,
      post,
      stat_triggered: triggered,
      ...(isExtended ? toStateFields(subscription) : {}),
    },
    links: {
      events: { method: 'GET', url: `${all}/events` },
      list: { method: 'GET', url: all },
      new: { method: 'POST', url: all },
      get: { method: 'GET', url: one },
      edit: { method: 'PATCH', url: one },
      delete: { method: 'DELETE', url: one },
    },
  }
}

function toStateFields(subscription: Subscription): Partial<SubscriptionFields> {
  const { onExhausted = 'pause', window = 1, schedule, paused, cursor, listener } = subscription
  const { headers } = subscription
  const state = getSubscriptionState(subscription)
  const retryAt = state === 'retrying' ? getNextRetryTime(subscription) : undefined
  return {
    on_exhausted: onExhausted,
    window,
    ...(headers === undefined ? {} : { header_names: Object.keys(headers) }),
    ...(subscription.hookSecret === undefined ? {} : { own_secret: true }),
    ...(schedule === undefined ? {} : { retry_schedule: schedule.map(delay => delay / 1000) }),
    state,
    ...(paused === undefined ? {} : { paused_because: paused.reason }),
    sequence: cursor,
    ...(retryAt === undefined ? {} : { retry_at: formatDateTime(retryAt) }),
    ...(listener === undefined ? {} : toListenerFields(listener)),
  }
}

function toListenerFields({ name, seenAt }: SubscriptionListener): Partial<SubscriptionFields> {
  return { listener: name, listener_seen_on: formatDateTime(seenAt) }
}
