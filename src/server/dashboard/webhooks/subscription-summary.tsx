import type { Account } from '../../../domain/account/account.js'
import type { Delivery } from '../../../domain/webhook/delivery.js'
import type { RelayEvent } from '../../../domain/webhook/event.js'
import type { PauseReason, Subscription } from '../../../domain/webhook/subscription.js'
import type { SubscriptionListener } from '../../../domain/webhook/subscription-listener.js'
import {
  getSubscriptionState,
  type SubscriptionState,
} from '../../../domain/webhook/subscription-state.js'
import type { ServerContext } from '../../http/server-context.js'
import { Fragment, type Html, h } from '../components/html.js'
import type { IconName } from '../components/icons.js'
import { Pill, type Tone } from '../components/pill.js'
import { Time } from '../components/time.js'

export const subscriptionsPath = '/subscriptions'

export function getSubscriptionPath(id: string): string {
  return `${subscriptionsPath}/${encodeURIComponent(id)}`
}

const looks = {
  active: ['Active', 'good', 'check'],
  retrying: ['Retrying', 'warn', 'retry'],
  paused: ['Paused', 'bad', 'pause'],
} as const satisfies Record<SubscriptionState, readonly [string, Tone, IconName]>

export function SubscriptionPill({ subscription }: { readonly subscription: Subscription }): Html {
  const [word, tone, icon] = looks[getSubscriptionState(subscription)]
  return (
    <Pill tone={tone} icon={icon}>
      {word}
    </Pill>
  )
}

export function Listener({ listener }: { readonly listener: SubscriptionListener }): Html {
  return (
    <>
      <code>hook listen</code> on {listener.name}, last seen <Time at={listener.seenAt} />
    </>
  )
}

/** The title of a subscription's page, such as `message.sent to hooks.example.com`. */
export function getSubscriptionTitle({ event, url }: Subscription): string {
  return URL.canParse(url) ? `${event} to ${new URL(url).host}` : event
}

export const pauseReasons = {
  request: 'on request',
  gone: 'the receiver answered 410 Gone',
  exhausted: 'all deliveries of an event failed',
} as const satisfies Record<PauseReason, string>

export interface WaitingEvents {
  readonly first: RelayEvent | undefined
  readonly count: string
}

const maxCounted = 100

export async function countWaitingEvents(
  { events }: Pick<ServerContext, 'events'>,
  account: Account,
  { cursor, event }: Subscription,
): Promise<WaitingEvents> {
  const page = await events.readPage(account, { after: cursor, names: [event] }, maxCounted)
  const { length } = page.events
  const count = length < maxCounted ? String(length) : `${length} or more`
  return { first: page.events[0], count }
}

/** Describes a webhook delivery on a dashboard page, for example `failed (500)`. */
export function describeDelivery({ ok, status, dead }: Delivery): string {
  const code = status === undefined ? '' : ` (${status})`
  const suffix = dead ? ', abandoned' : ''
  return `${ok ? 'delivered' : 'failed'}${code}${suffix}`
}
