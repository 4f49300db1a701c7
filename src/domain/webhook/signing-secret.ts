import type { Account } from '../account/account.js'

/**
 * Milliseconds for which a replaced signing secret still signs webhooks, so that receivers can be
 * updated.
 */
export const previousSecretLifetime = 24 * 60 * 60 * 1000

/** Replaced secrets that sign webhooks at most: each makes the header longer. */
const maxPreviousSecrets = 3

/** The secrets that sign an account's webhooks now, newest first. */
export function getActiveSecrets(account: Account, now: number): string[] {
  const { hookSecret, formerHookSecrets = [] } = account
  const former = formerHookSecrets.filter(({ until }) => until > now).map(({ secret }) => secret)
  return hookSecret === undefined ? former : [hookSecret, ...former]
}

export function addMissingSecret(account: Account, fresh: string): Account {
  return account.hookSecret === undefined ? { ...account, hookSecret: fresh } : account
}

/** Replaces an account's signing secret; the old one signs for {@link previousSecretLifetime}. */
export function replaceSecret(account: Account, fresh: string, now: number): Account {
  const { hookSecret, formerHookSecrets = [] } = account
  const former =
    hookSecret === undefined ? [] : [{ secret: hookSecret, until: now + previousSecretLifetime }]
  const previous = [...former, ...formerHookSecrets.filter(({ until }) => until > now)]
  return { ...account, hookSecret: fresh, formerHookSecrets: previous.slice(0, maxPreviousSecrets) }
}
