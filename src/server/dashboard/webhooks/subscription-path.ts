/** Where the list of subscriptions is. */
export const subscriptionsPath = '/subscriptions'

/** Where the page of a subscription is. */
export function getSubscriptionPath(id: string): string {
  return `${subscriptionsPath}/${encodeURIComponent(id)}`
}
