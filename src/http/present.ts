import type { BlocklistFields } from '../contract/blocklist.js'
import type { Link, Links } from '../contract/link.js'
import type { MessageFields, MessageReply } from '../contract/message.js'
import type { SubscriptionReply } from '../contract/subscription.js'
import type { BlockEntry } from '../domain/account.js'
import { formatDateTime } from '../domain/date-time.js'
import { isWaiting, type Message } from '../domain/message.js'
import type { Subscription } from '../domain/subscription.js'

/** A message with its links (SPEC.md sections 2.1 and 2.2). */
export function messageEnvelope(message: Message, base: string): MessageReply {
  return { message: messageFields(message), links: messageLinks(message, base) }
}

function messageFields(message: Message): MessageFields {
  return {
    id: message.id,
    destination: message.destination,
    message: message.text,
    created_on: formatDateTime(message.createdAt),
    send_on: formatDateTime(message.sendAt),
    status: message.status,
    status_date: formatDateTime(message.statusAt),
    source: message.source,
    failure_count: message.failures,
  }
}

/** The operations on a message: those that change it only while it is new or in error (README: links). */
export function messageLinks(message: Message, base: string): Links {
  const all = `${base}/api/1/message`
  const one = `${all}/${message.id}`
  const always = {
    list: link('GET', all),
    next: link('NEXT', all),
    new: link('POST', all),
    get: link('GET', one),
  }
  const last = { delete: link('DELETE', one) }
  if (!isWaiting(message)) return { ...always, ...last }
  return {
    ...always,
    edit: link('PATCH', one),
    ...last,
    success: link('PUT', `${one}/success`),
    failure: link('PUT', `${one}/failure`),
  }
}

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
