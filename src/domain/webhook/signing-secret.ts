import type { Account } from '../account/account.js'

/** How long a replaced secret still signs beside the new one, in milliseconds: time to tell every receiver. */
export const previousSecretLifetime = 24 * 60 * 60 * 1000

/** Most replaced secrets that sign at a time: each makes the header of a hit longer. */
const maxPreviousSecrets = 3

/** The secrets that sign an account's hits now, the newest first. */
export function getActiveSecrets(account: Account, now: number): string[] {
  const { hookSecret, formerHookSecrets = [] } = account
  const former = formerHookSecrets.filter(({ until }) => until > now).map(({ secret }) => secret)
  return hookSecret === undefined ? former : [hookSecret, ...former]
}

/** The account with a secret: its own, else `fresh`. */
export function addMissingSecret(account: Account, fresh: string): Account {
  return account.hookSecret === undefined ? { ...account, hookSecret: fresh } : account
}

/** The account with `fresh` as its secret; the one before signs for {@link secretOverlap} more. */
export function replaceSecret(account: Account, fresh: string, now: number): Account {
  const { hookSecret, formerHookSecrets = [] } = account
  const former =
    hookSecret === undefined ? [] : [{ secret: hookSecret, until: now + previousSecretLifetime }]
  const kept = [...former, ...formerHookSecrets.filter(({ until }) => until > now)]
  return { ...account, hookSecret: fresh, formerHookSecrets: kept.slice(0, maxPreviousSecrets) }
}
