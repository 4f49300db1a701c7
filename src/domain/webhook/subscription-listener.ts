/** The `hook listen` that created a subscription for as long as it runs. */
export interface SubscriptionListener {
  readonly name: string
  readonly seenAt: number
}

/** Milliseconds without contact after which the relay removes a listener's subscription. */
export const listenerTimeLimit = 60 * 60 * 1000
