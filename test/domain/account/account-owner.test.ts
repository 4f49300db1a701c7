import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Account } from '../../../src/domain/account/account.js'
import { findOwner, getNextOwnerTime } from '../../../src/domain/account/account-owner.js'

function account(id: string, createdAt: number, ownerSince?: number | null): Account {
  return {
    ...{ id, email: `${id}@example.com`, passwordHash: '', secretKey: '', appKey: '', createdAt },
    ...{ apiKeyHash: '', country: 'US', mode: 'at-least-once' },
    ...(ownerSince === undefined ? {} : { ownerSince }),
  }
}

test('nobody is the owner of nothing', () => {
  expect(findOwner([])).toBeUndefined()
})

test('the one that became it last is the owner, however old the others are', () => {
  const all = [account('a', 1), account('b', 5, 5), account('c', 3, 9), account('d', 2, null)]
  expect(findOwner(all)?.id).toBe('c')
})

test('of accounts made before owners were kept it is the oldest, the first of equals', () => {
  expect(findOwner([account('b', 2), account('a', 1), account('c', 1)])?.id).toBe('a')
})

test('an account that was never the owner does not come to it when the owner is removed', () => {
  expect(findOwner([account('b', 2, null), account('c', 3, null)])).toBeUndefined()
})

test('whoever is made the owner is it, whatever the clock says', () => {
  const made = fc.record({ createdAt: fc.nat(), ownerSince: fc.option(fc.nat()) })
  fc.assert(
    fc.property(fc.array(made), fc.nat(), fc.nat(), (others, now, createdAt) => {
      const all = others.map((each, at) => account(`${at}`, each.createdAt, each.ownerSince))
      const chosen = account('chosen', createdAt, getNextOwnerTime(all, now))
      return findOwner([chosen, ...all]) === chosen && findOwner([...all, chosen]) === chosen
    }),
  )
})
