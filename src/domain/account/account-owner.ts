import type { Account } from './account.js'

/**
 * The account whose dashboard administers the others: the one that became it last, and where that is removed the one
 * before it; else the oldest of those made before this was kept. None where there is no such account: who never was it
 * does not come to it by itself.
 */
export function ownerOf(accounts: readonly Account[]): Account | undefined {
  const named = accounts.filter(({ ownerSince }) => typeof ownerSince === 'number')
  if (named.length > 0) return best(named, (a, b) => since(a) > since(b))
  const unknown = accounts.filter(({ ownerSince }) => ownerSince === undefined)
  return best(unknown, (a, b) => a.createdAt < b.createdAt)
}

/**
 * When an account becomes the owner's that is to be it instead of the one before, whatever the clock says.
 *
 * @param now milliseconds since the epoch
 */
export function ownedFrom(accounts: readonly Account[], now: number): number {
  return Math.max(now, ...accounts.map(account => since(account) + 1))
}

function since({ ownerSince }: Account): number {
  return ownerSince ?? 0
}

function best(accounts: readonly Account[], isBetter: (a: Account, b: Account) => boolean) {
  return accounts.reduce<Account | undefined>(
    (found, each) => (found === undefined || isBetter(each, found) ? each : found),
    undefined,
  )
}
