import type { Subscription } from '../../../domain/webhook/subscription.js'
import { isRelayError, RelayError } from '../../../errors.js'
import type { SubscriptionStore } from '../../store/subscription-store.js'

/**
 * Removes a subscription unless its listener has made contact since `before` (milliseconds since
 * the epoch): it may have done so after the abandoned ones were listed. Throws `unavailable`.
 */
export async function removeIfAbandoned(
  subscriptions: SubscriptionStore,
  id: string,
  before: number,
): Promise<void> {
  const check = ({ listener }: Subscription): void => {
    if (listener !== undefined && listener.seenAt < before) return
    throw new RelayError('invalid_state', `Subscription ${id} is in use.`)
  }
  await subscriptions.remove(id, check).catch(error => {
    if (!isRelayError(error, 'invalid_state')) throw error
  })
}
