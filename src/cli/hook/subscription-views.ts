import type { SubscriptionFields } from '../../contract/subscription-schema.js'
import { formatFields, formatTable } from '../terminal/terminal-text.js'

const pauseReasons: Readonly<Record<string, string>> = {
  request: 'by request',
  gone: 'the receiver responded with 410',
  exhausted: 'no retries are left',
}

export function formatSubscription(subscription: SubscriptionFields): string {
  return formatFields({
    id: subscription.id,
    event: subscription.event,
    url: subscription.url,
    method: subscription.method,
    data: subscription.post ? 'JSON body' : 'query string',
    webhooks: subscription.stat_triggered,
    ...toStateFields(subscription),
  })
}

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
  return formatTable(['ID', 'EVENT', 'METHOD', 'DATA', 'WEBHOOKS', 'STATE', 'URL'], rows)
}

/** Columns of `hook list`; a relay of another vendor may send none of these subscription fields. */
function toStateFields(subscription: SubscriptionFields): Record<string, string | number> {
  const { state, sequence, window, listener } = subscription
  const { on_exhausted: exhausted, retry_schedule: delays } = subscription
  return {
    ...(state === undefined ? {} : { state: formatState(subscription) }),
    ...(sequence === undefined ? {} : { sequence }),
    ...(exhausted === undefined ? {} : { 'on exhausted': exhausted }),
    ...(window === undefined ? {} : { window }),
    ...(subscription.own_secret === true ? { secret: 'its own' } : {}),
    ...(delays === undefined ? {} : { 'retry schedule': delays.map(each => `${each}s`).join(',') }),
    ...(listener === undefined ? {} : { listener: formatListener(subscription, listener) }),
  }
}

function formatListener({ listener_seen_on: at }: SubscriptionFields, name: string): string {
  return at === undefined ? name : `${name} (last contact ${at} UTC)`
}

function formatState({
  state = '',
  paused_because: reason,
  retry_at: at,
}: SubscriptionFields): string {
  if (reason !== undefined) return `${state} (${pauseReasons[reason] ?? reason})`
  return at === undefined ? state : `${state} (retry at ${at} UTC)`
}
