import type { Account } from './account.js'

/**
 * The account whose dashboard administers the others: the one that became it last, and where that is removed the one
 * before it; else the oldest of those made before this was kept. None where there is no such account: who never was it
 * does not come to it by itself.
 */
export function findOwner(accounts: readonly Account[]): Account | undefined {
  const named = accounts.filter(({ ownerSince }) => typeof ownerSince === 'number')
  if (named.length > 0) return findBest(named, (a, b) => getOwnerTime(a) > getOwnerTime(b))
  const unknown = accounts.filter(({ ownerSince }) => ownerSince === undefined)
  return findBest(unknown, (a, b) => a.createdAt < b.createdAt)
}

/**
 * When an account becomes the owner's that is to be it instead of the one before, whatever the clock says.
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
