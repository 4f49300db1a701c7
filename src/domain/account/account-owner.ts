import type { Account } from './account.js'

/**
 * Finds the owner: the account whose dashboard manages the others. Of those that still exist, it is
 * the last that became the owner's. If no account is recorded as such, it is the oldest account of
 * a version that did not record it. An account that was never the owner's does not become it by
 * itself.
 */
export function findOwner(accounts: readonly Account[]): Account | undefined {
  const named = accounts.filter(({ ownerSince }) => typeof ownerSince === 'number')
  if (named.length > 0) return findBest(named, (a, b) => getOwnerTime(a) > getOwnerTime(b))
  const unknown = accounts.filter(({ ownerSince }) => ownerSince === undefined)
  return findBest(unknown, (a, b) => a.createdAt < b.createdAt)
}

/**
 * The `ownerSince` of the account that becomes the owner's now: later than all others, also if the
 * clock was set back.
 *
 * @param now milliseconds since the epoch
 */
export function getNextOwnerTime(accounts: readonly Account[], now: number): number {
  return Math.max(now, ...accounts.map(account => getOwnerTime(account) + 1))
}

function getOwnerTime({ ownerSince }: Account): number {
  return ownerSince ?? 0
}

function findBest(accounts: readonly Account[], isBetter: (a: Account, b: Account) => boolean) {
  return accounts.reduce<Account | undefined>(
    (found, each) => (found === undefined || isBetter(each, found) ? each : found),
    undefined,
  )
}
