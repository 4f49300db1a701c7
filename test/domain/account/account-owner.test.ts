import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Account } from '../../../src/domain/account/account.js'
import { findOwner, getNextOwnerTime } from '../../../src/domain/account/account-owner.js'

function account(id: string, createdAt: number, ownerSince: number | null): Account {
  return {
    ...{ id, email: `${id}@example.com`, passwordHash: '', secretKey: '', appKey: '', createdAt },
    apiKeyHash: '',
    country: 'US',
    mode: 'at-least-once',
    hookSecret: '',
    ownerSince,
  }
}

test('without accounts there is no owner', () => {
  expect(findOwner([])).toBeUndefined()
})

test("the account that became the owner's last is the owner, at any age", () => {
  const all = [account('a', 1, null), account('b', 5, 5), account('c', 3, 9), account('d', 2, null)]
  expect(findOwner(all)?.id).toBe('c')
})

test('removing the owner makes no account the owner that was never the owner', () => {
  expect(findOwner([account('b', 2, null), account('c', 3, null)])).toBeUndefined()
})

test('an account that becomes the owner is the owner, for any clock', () => {
  const anyAccount = fc.record({ createdAt: fc.nat(), ownerSince: fc.option(fc.nat()) })
  fc.assert(
    fc.property(fc.array(anyAccount), fc.nat(), fc.nat(), (others, now, createdAt) => {
      const all = others.map((each, at) => account(`${at}`, each.createdAt, each.ownerSince))
      const chosen = account('chosen', createdAt, getNextOwnerTime(all, now))
      return findOwner([chosen, ...all]) === chosen && findOwner([...all, chosen]) === chosen
    }),
  )
})
