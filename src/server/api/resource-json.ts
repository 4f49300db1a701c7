import type { DeliveryReply } from '../../contract/delivery-schema.js'
import { toObjectFields } from '../../contract/event-schema.js'
import type { Link, Links } from '../../contract/schema/link-schema.js'
import type { SubscriptionFields, SubscriptionReply } from '../../contract/subscription-schema.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import type { Delivery } from '../../domain/webhook/delivery.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import { getSubscriptionState } from '../../domain/webhook/subscription-state.js'

/**
 * A subscription with its links (SPEC.md sections 2.1 and 2.3): its six fields, and where it is to be extended
 * the state of its lane (README: extensions).
 */
export function toSubscriptionReply(
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
      ...(isExtended ? toStateFields(subscription) : {}),
    },
    links: {
      events: createLink('GET', `${all}/events`),
      list: createLink('GET', all),
      new: createLink('POST', all),
      get: createLink('GET', one),
      edit: createLink('PATCH', one),
      delete: createLink('DELETE', one),
    },
  }
}

function toStateFields(subscription: Subscription): Partial<SubscriptionFields> {
  const { onExhausted = 'pause', paused, trying, cursor } = subscription
  const state = getSubscriptionState(subscription)
  return {
    on_exhausted: onExhausted,
    state,
    ...(paused === undefined ? {} : { paused_because: paused.reason }),
    sequence: cursor,
    ...(state === 'retrying' && trying ? { retry_at: formatDateTime(trying.retryAt) } : {}),
  }
}

/** An attempt at a delivery with its links (README: extensions). */
export function toDeliveryReply(delivery: Delivery, base: string): DeliveryReply {
  const { id, subscription, seq, event, message, attempt, at, ms, ok, dead, resend } = delivery
  const { status = null, error = null, reply = '' } = delivery
  const one = `${base}/api/1/subscription/${subscription}`
  const result = { status, error, ok, dead, resend, reply }
  const when = { attempt, at: formatDateTime(at), ms }
  return {
    delivery: { id, sequence: seq, event, ...toObjectFields(event, message), ...when, ...result },
    links: {
      list: createLink('GET', `${one}/delivery`),
      resend: createLink('POST', `${one}/delivery/${seq}/resend`),
      subscription: createLink('GET', one),
    },
  }
}

/** The operations on the user (README: links). */
export function createUserLinks(base: string): Links {
  return {
    get: createLink('GET', `${base}/api/1/user`),
    app: createLink('GET', `${base}/api/1/user/app`),
  }
}

function createLink(method: string, url: string): Link {
  return { method, url }
}
