import type { BlocklistFields } from '../contract/blocklist.js'
import type { EventFields } from '../contract/event-reply.js'
import type { Link, Links } from '../contract/link.js'
import type { SubscriptionReply } from '../contract/subscription.js'
import type { BlockEntry } from '../domain/account.js'
import { formatDateTime } from '../domain/date-time.js'
import type { RelayEvent } from '../domain/events.js'
import type { Subscription } from '../domain/subscription.js'

/** A subscription with its links (SPEC.md sections 2.1 and 2.3). */
export function subscriptionEnvelope(subscription: Subscription, base: string): SubscriptionReply {
  const { id, event, url, method, post, triggered } = subscription
  const all = `${base}/api/1/subscription`
  const one = `${all}/${id}`
  return {
    subscription: { id, event, url, method, post, stat_triggered: triggered },
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

/** The operations on the user (README: links). */
export function userLinks(base: string): Links {
  return { get: link('GET', `${base}/api/1/user`), app: link('GET', `${base}/api/1/user/app`) }
}

/** A recorded event. */
export function eventFieldsOf({ seq, event, message, at }: RelayEvent): EventFields {
  return { sequence: seq, event, message: { id: message }, at: formatDateTime(at) }
}

/** An entry of a Do Not Text list. */
export function blockFields(entry: BlockEntry): BlocklistFields {
  return {
    number: entry.number,
    added_on: formatDateTime(entry.at),
    scope: entry.scope === '*' ? 'service' : 'account',
  }
}

function link(method: string, url: string): Link {
  return { method, url }
}
