import type { PauseReason, Subscription } from '../../../domain/webhook/subscription.js'
import { getSubscriptionState } from '../../../domain/webhook/subscription-state.js'
import { type Html, h } from '../components/html.js'

const labels = {
  active: ['sent', 'Active'],
  retrying: ['error', 'Waiting'],
  paused: ['paused', 'Paused'],
} as const

/** What the lane of a subscription does, in words; the colour only repeats them. */
export function SubscriptionBadge({ subscription }: { readonly subscription: Subscription }): Html {
  const [name, label] = labels[getSubscriptionState(subscription)]
  return <span class={`badge ${name}`}>{label}</span>
}

/** Why a lane is paused, in words. */
export const pauseReasons = {
  request: 'by request',
  gone: 'the receiver answered 410, it wants no more',
  exhausted: 'an event could not be delivered for 72 hours',
} as const satisfies Record<PauseReason, string>
