import type { MessageFields } from '../../contract/message-schema.js'
import type { SubscriptionFields } from '../../contract/subscription-schema.js'
import { statusNames } from '../../domain/message/message.js'
import { formatFields, formatTable } from '../terminal/terminal-text.js'

/** A message, for people. */
export function formatMessage(message: MessageFields): string {
  return formatFields({
    id: message.id,
    to: message.destination,
    status: `${statusNames[message.status]} (since ${message.status_date} UTC)`,
    created: `${message.created_on} UTC, by ${message.source}`,
    send: `${message.send_on} UTC`,
    failures: message.failure_count,
    text: message.message,
  })
}

/** Messages one a line, for people. */
export function formatMessageTable(messages: readonly MessageFields[], columns?: number): string {
  const rows = messages.map(each => [
    each.id,
    statusNames[each.status],
    each.destination,
    each.send_on,
    each.message,
  ])
  return formatTable(['ID', 'STATUS', 'TO', 'SEND ON (UTC)', 'TEXT'], rows, columns)
}

/** A subscription, for people. */
export function formatSubscription(subscription: SubscriptionFields): string {
  return formatFields({
    id: subscription.id,
    event: subscription.event,
    url: subscription.url,
    method: subscription.method,
    data: subscription.post ? 'JSON body' : 'query string',
    hits: subscription.stat_triggered,
    ...toStateFields(subscription),
  })
}

/** The state of a lane, where the relay tells it. */
function toStateFields(subscription: SubscriptionFields): Record<string, string | number> {
  const { state, sequence, on_exhausted: exhausted } = subscription
  return {
    ...(state === undefined ? {} : { state: formatState(subscription) }),
    ...(sequence === undefined ? {} : { sequence }),
    ...(exhausted === undefined ? {} : { 'on exhausted': exhausted }),
  }
}

function formatState({
  state = '',
  paused_because: why,
  retry_at: at,
}: SubscriptionFields): string {
  if (why !== undefined) return `${state} (${pauseReasons[why] ?? why})`
  return at === undefined ? state : `${state} (at ${at} UTC)`
}

/** Why lanes are paused, as people read it. */
const pauseReasons: Readonly<Record<string, string>> = {
  request: 'by request',
  gone: 'the receiver answered 410',
  exhausted: 'retries are used up',
}

/** Subscriptions one a line, for people. */
export function formatSubscriptionTable(subscriptions: readonly SubscriptionFields[]): string {
  const rows = subscriptions.map(each => [
    each.id,
    each.event,
    each.method,
    each.post ? 'body' : 'query',
    String(each.stat_triggered),
    each.paused_because === undefined ? (each.state ?? '') : `paused: ${each.paused_because}`,
    each.url,
  ])
  return formatTable(['ID', 'EVENT', 'METHOD', 'DATA', 'HITS', 'STATE', 'URL'], rows)
}
