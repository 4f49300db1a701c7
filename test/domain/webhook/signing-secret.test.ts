import { expect, test } from 'vitest'
import type { Account } from '../../../src/domain/account/account.js'
import {
  secretOverlap,
  secretsInUse,
  withNewSecret,
  withSecret,
} from '../../../src/domain/webhook/signing-secret.js'

const old: Account = {
  id: 'a',
  email: 'a@example.com',
  passwordHash: '',
  secretKey: 's',
  appKey: 'p',
  apiKeyHash: '',
  country: 'US',
  mode: 'at-least-once',
  createdAt: 0,
}

test('an account without a secret gets one, and keeps the one it has', () => {
  expect(secretsInUse(old, 0)).toEqual([])
  const account = withSecret(old, 'first')
  expect(secretsInUse(account, 0)).toEqual(['first'])
  expect(withSecret(account, 'second')).toBe(account)
})

test('a replaced secret signs beside the new one for 24 hours', () => {
  const account = withNewSecret(withSecret(old, 'first'), 'second', 1000)
  expect(secretOverlap).toBe(86_400_000)
  expect(secretsInUse(account, 1000)).toEqual(['second', 'first'])
  expect(secretsInUse(account, 1000 + secretOverlap - 1)).toEqual(['second', 'first'])
  expect(secretsInUse(account, 1000 + secretOverlap)).toEqual(['second'])
})

test('secrets replaced in quick succession each keep their time, three at most', () => {
  let account = withSecret(old, 's0')
  for (const nth of [1, 2, 3, 4]) account = withNewSecret(account, `s${nth}`, nth)
  expect(secretsInUse(account, 4)).toEqual(['s4', 's3', 's2', 's1'])
  expect(secretsInUse(account, 2 + secretOverlap)).toEqual(['s4', 's3', 's2'])
  const later = withNewSecret(account, 's5', 4 + secretOverlap)
  expect(later.formerHookSecrets).toEqual([{ secret: 's4', until: 4 + 2 * secretOverlap }])
})

test('a first secret in place of none leaves none behind', () => {
  expect(secretsInUse(withNewSecret(old, 'first', 0), 0)).toEqual(['first'])
})
