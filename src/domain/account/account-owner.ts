import type { Account } from './account.js'

/**
 * Finds the owner: the account whose dashboard manages the others. Of those that still exist, it is
 * the last that became the owner's. An account that was never the owner's does not become it by
 * itself.
 */
export function findOwner(accounts: readonly Account[]): Account | undefined {
  return accounts
    .filter(({ ownerSince }) => ownerSince !== null)
    .sort((a, b) => getOwnerTime(b) - getOwnerTime(a))[0]
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
