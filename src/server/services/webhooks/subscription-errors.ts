import type { Account } from '../../../domain/account/account.js'
import type { RelayEvent } from '../../../domain/webhook/event.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import type { SubscriptionChanges } from '../../../domain/webhook/subscription-state.js'
import { RelayError } from '../../../errors.js'

export function notASubscriptionError(id: string): RelayError {
  return new RelayError(
    'not_a_subscription',
    `There is no subscription ${id}; list the subscriptions to see their ids.`,
  )
}

export function assertFewerThan(count: number, own: number | undefined, common: number): void {
  const max = own ?? common
  if (count < max) return
  const remedy =
    own === undefined
      ? 'the operator of the relay for more (serve --max-subscriptions).'
      : 'the owner of the relay for a higher limit.'
  throw new RelayError(
    'invalid_state',
    `The account has ${max} subscriptions or more, and no further one is allowed; ` +
      `remove one, or ask ${remedy}`,
  )
}

export function nothingWaitsError(id: string): RelayError {
  return new RelayError('invalid_state', `No event of subscription ${id} waits to be skipped.`, {
    hint: 'An event waits if its webhook failed, or if the subscription is paused.',
  })
}

export function anotherWaitsError(sequence: number, waiting: number): RelayError {
  return new RelayError('invalid_state', `Event ${sequence} does not wait; event ${waiting} does.`)
}

export function notRetainedError(from: number, first: RelayEvent | undefined): RelayError {
  return new RelayError(
    'invalid_parameter',
    first === undefined
      ? `Event ${from} is not retained; no events are retained.`
      : `Event ${from} is not retained; the first retained event is ${first.seq}.`,
  )
}

export function notDeliveredError(from: number, cursor: number): RelayError {
  return new RelayError(
    'invalid_parameter',
    `\`from\` must be at most ${cursor}; event ${from} has not been delivered yet.`,
  )
}

export function otherEventError({ id, event }: Subscription, named: string): RelayError {
  return new RelayError(
    'not_a_subscription',
    `Subscription ${id} is not to event ${named} but to ${event}; ` +
      '`event` must be the one it was created with.',
  )
}

/** Nobody can read the header fields of a subscription by sending its webhooks to an own server. */
export function assertHeadersStay(
  { url, headers = {} }: Subscription,
  changes: SubscriptionChanges,
): void {
  if (changes.url === undefined || changes.headers === null) return
  if (new URL(changes.url).origin === new URL(url).origin) return
  const given = Object.keys(changes.headers ?? {}).map(name => name.toLowerCase())
  if (changes.headers !== undefined && given.length === 0) return
  const kept = Object.keys(headers).filter(name => !given.includes(name.toLowerCase()))
  if (kept.length === 0) return
  throw new RelayError(
    'invalid_parameter',
    `\`headers\`: give ${kept.join(', ')} again: they are not sent to another server.`,
    { hint: 'To send webhooks without them, remove them.' },
  )
}

/** The login in the URL becomes the header field, too. */
export function assertOneAuthorization({
  url,
  headers = {},
}: Pick<Subscription, 'url' | 'headers'>): void {
  const { username, password } = new URL(url)
  if (username === '' && password === '') return
  if (!Object.keys(headers).some(name => name.toLowerCase() === 'authorization')) return
  throw new RelayError(
    'invalid_parameter',
    '`headers` must not have Authorization, because the URL has a login; leave out one of them.',
  )
}

export function requireSubscription(
  subscription: Subscription | undefined,
  account: Account,
  id: string,
): Subscription {
  if (subscription?.account === account.id) return subscription
  throw notASubscriptionError(id)
}
