import type { DeliveryReply } from '../../contract/delivery-schema.js'
import { objectFields } from '../../contract/event-object.js'
import type { EventFields } from '../../contract/event-reply.js'
import type { Link, Links } from '../../contract/schema/link-schema.js'
import type { SubscriptionFields, SubscriptionReply } from '../../contract/subscription-schema.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import type { Delivery } from '../../domain/webhook/delivery.js'
import type { RelayEvent } from '../../domain/webhook/event.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import { laneState } from '../../domain/webhook/subscription-state.js'

/**
 * A subscription with its links (SPEC.md sections 2.1 and 2.3): its six fields, and where it is to be extended
 * the state of its lane (README: extensions).
 */
export function subscriptionEnvelope(
  subscription: Subscription,
  base: string,
  isExtended = false,
): SubscriptionReply {
  const { id, event, url, method, post, triggered } = subscription
  const all = `${base}/api/1/subscription`
  const one = `${all}/${id}`
  return {
    subscription: {
      ...{ id, event, url, method, post, stat_triggered: triggered },
      ...(isExtended ? laneFields(subscription) : {}),
    },
    links: {
      events: link('GET', `${all}/events`),
      list: link('GET', all),
      new: link('POST', all),
      get: link('GET', one),
      edit: link('PATCH', one),
      delete: link('DELETE', one),
    },
  }
}

function laneFields(subscription: Subscription): Partial<SubscriptionFields> {
  const { onExhausted = 'pause', paused, trying, cursor } = subscription
  const state = laneState(subscription)
  return {
    on_exhausted: onExhausted,
    state,
    ...(paused === undefined ? {} : { paused_because: paused.reason }),
    sequence: cursor,
    ...(state === 'retrying' && trying ? { retry_at: formatDateTime(trying.retryAt) } : {}),
  }
}

/** An attempt at a delivery with its links (README: extensions). */
export function deliveryEnvelope(delivery: Delivery, base: string): DeliveryReply {
  const { id, subscription, seq, event, message, attempt, at, ms, ok, dead, resend } = delivery
  const { status = null, error = null, reply = '' } = delivery
  const one = `${base}/api/1/subscription/${subscription}`
  const result = { status, error, ok, dead, resend, reply }
  const when = { attempt, at: formatDateTime(at), ms }
  return {
    delivery: { id, sequence: seq, event, ...objectFields(event, message), ...when, ...result },
    links: {
      list: link('GET', `${one}/delivery`),
      resend: link('POST', `${one}/delivery/${seq}/resend`),
      subscription: link('GET', one),
    },
  }
}

/** The operations on the user (README: links). */
export function userLinks(base: string): Links {
  return { get: link('GET', `${base}/api/1/user`), app: link('GET', `${base}/api/1/user/app`) }
}

/** A recorded event. */
export function eventFieldsOf({ seq, event, message, at }: RelayEvent): EventFields {
  return { sequence: seq, event, ...objectFields(event, message), at: formatDateTime(at) }
}

function link(method: string, url: string): Link {
  return { method, url }
}
