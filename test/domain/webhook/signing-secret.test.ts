import { expect, test } from 'vitest'
import type { Account } from '../../../src/domain/account/account.js'
import {
  addMissingSecret,
  getActiveSecrets,
  previousSecretLifetime,
  replaceSecret,
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

test('an account gets a secret only if it has none', () => {
  expect(getActiveSecrets(old, 0)).toEqual([])
  const account = addMissingSecret(old, 'first')
  expect(getActiveSecrets(account, 0)).toEqual(['first'])
  expect(addMissingSecret(account, 'second')).toBe(account)
})

test('a replaced secret signs for 24 hours more', () => {
  const account = replaceSecret(addMissingSecret(old, 'first'), 'second', 1000)
  expect(previousSecretLifetime).toBe(86_400_000)
  expect(getActiveSecrets(account, 1000)).toEqual(['second', 'first'])
  expect(getActiveSecrets(account, 1000 + previousSecretLifetime - 1)).toEqual(['second', 'first'])
  expect(getActiveSecrets(account, 1000 + previousSecretLifetime)).toEqual(['second'])
})

test('at most three replaced secrets sign, each for its time', () => {
  let account = addMissingSecret(old, 's0')
  for (const nth of [1, 2, 3, 4]) account = replaceSecret(account, `s${nth}`, nth)
  expect(getActiveSecrets(account, 4)).toEqual(['s4', 's3', 's2', 's1'])
  expect(getActiveSecrets(account, 2 + previousSecretLifetime)).toEqual(['s4', 's3', 's2'])
  const later = replaceSecret(account, 's5', 4 + previousSecretLifetime)
  expect(later.formerHookSecrets).toEqual([{ secret: 's4', until: 4 + 2 * previousSecretLifetime }])
})

test('a first secret has no previous one', () => {
  expect(getActiveSecrets(replaceSecret(old, 'first', 0), 0)).toEqual(['first'])
})
