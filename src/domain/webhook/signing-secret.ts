import type { PreviousSecret } from '../account/account.js'

export interface SigningSecrets {
  readonly hookSecret?: string
  /** Replaced secrets of the account or subscription that still sign webhooks, newest first. */
  readonly formerHookSecrets?: readonly PreviousSecret[]
}

/**
 * Milliseconds for which a replaced signing secret still signs webhooks, so that receivers can be
 * updated.
 */
export const previousSecretLifetime = 24 * 60 * 60 * 1000

/** Replaced secrets that sign webhooks at most: each makes the header longer. */
const maxPreviousSecrets = 3

function getActiveSecrets(owner: SigningSecrets, now: number): string[] {
  const { hookSecret, formerHookSecrets = [] } = owner
  const former = formerHookSecrets.filter(({ until }) => until > now).map(({ secret }) => secret)
  return hookSecret === undefined ? former : [hookSecret, ...former]
}

export function replaceSecret<T extends SigningSecrets>(owner: T, fresh: string, now: number): T {
  return { ...retireSecret(owner, now), hookSecret: fresh }
}

export function removeSecret<T extends SigningSecrets>(owner: T, now: number): T {
  const { hookSecret: _, ...rest } = retireSecret(owner, now)
  return rest as T
}

function retireSecret<T extends SigningSecrets>(owner: T, now: number): T {
  const { hookSecret, formerHookSecrets = [] } = owner
  const former =
    hookSecret === undefined ? [] : [{ secret: hookSecret, until: now + previousSecretLifetime }]
  const previous = [...former, ...formerHookSecrets.filter(({ until }) => until > now)]
  return { ...owner, formerHookSecrets: previous.slice(0, maxPreviousSecrets) }
}

export function getSubscriptionSecrets(
  subscription: SigningSecrets,
  account: SigningSecrets,
  now: number,
): string[] {
  const own = getActiveSecrets(subscription, now)
  return subscription.hookSecret === undefined ? [...getActiveSecrets(account, now), ...own] : own
}
