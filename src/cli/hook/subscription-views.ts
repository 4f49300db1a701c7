import type { SubscriptionFields } from '../../contract/subscription-schema.js'
import type { Column } from '../output/column.js'
import { formatRecord } from '../output/record-text.js'

const pauseReasons: Readonly<Record<string, string>> = {
  request: 'by request',
  gone: 'the receiver responded with 410',
  exhausted: 'no retries are left',
}

/** Columns of a subscription; a relay of another vendor may send none after `stat_triggered`. */
export const subscriptionColumns: readonly Column<SubscriptionFields>[] = [
  { name: 'id', isId: true, read: each => each.id },
  { name: 'event', read: each => each.event },
  { name: 'method', isWide: true, read: each => each.method },
  { name: 'post', title: 'data', isWide: true, read: each => each.post, show: formatPost },
  { name: 'stat_triggered', title: 'webhooks', read: each => each.stat_triggered },
  {
    name: 'state',
    read: each => each.state,
    show: formatState,
    tone: ({ state }) => (state === 'active' ? 'good' : state === 'paused' ? 'bad' : 'warning'),
  },
  { name: 'sequence', isWide: true, read: each => each.sequence },
  { name: 'on_exhausted', isWide: true, read: each => each.on_exhausted },
  { name: 'window', isWide: true, read: each => each.window },
  {
    name: 'header_names',
    title: 'headers',
    isWide: true,
    read: each => each.header_names?.join(', '),
  },
  {
    name: 'own_secret',
    title: 'secret',
    isWide: true,
    read: each => (each.own_secret === true ? true : undefined),
    show: () => 'its own',
  },
  {
    name: 'retry_schedule',
    isWide: true,
    read: each => each.retry_schedule?.map(delay => `${delay}s`).join(','),
  },
  { name: 'listener', isWide: true, read: each => each.listener },
  {
    name: 'listener_seen_on',
    title: 'last contact',
    isTime: true,
    isWide: true,
    read: each => each.listener_seen_on,
  },
  { name: 'url', canTruncate: true, read: each => each.url },
]

export function formatSubscription(subscription: SubscriptionFields): string {
  return formatRecord(subscription, subscriptionColumns)
}

function formatPost({ post }: SubscriptionFields): string {
  return post ? 'JSON body' : 'query string'
}

function formatState({
  state = '',
  paused_because: reason,
  retry_at: at,
}: SubscriptionFields): string {
  if (reason !== undefined) return `${state} (${pauseReasons[reason] ?? reason})`
  return at === undefined ? state : `${state} (retry at ${at} UTC)`
}
