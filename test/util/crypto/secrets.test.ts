import { expect, test } from 'vitest'
import {
  createLowercaseSecret,
  createSecret,
  hashText,
  isSameSecret,
} from '../../../src/util/crypto/secrets.js'

test('a secret is its prefix and 256 random bits in base64url', () => {
  const secrets = Array.from({ length: 100 }, () => createSecret('sk_'))
  for (const secret of secrets) expect(secret).toMatch(/^sk_[\w-]{43}$/)
  expect(new Set(secrets).size).toBe(100)
  expect(createSecret()).toMatch(/^[\w-]{43}$/)
})

test('a text is hashed with SHA-256, in base64url', () => {
  expect(hashText('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
})

test.each([
  ['same', 'same', true],
  ['same', 'samE', false],
  ['same', 'same ', false],
  ['', '', true],
  ['', 'a', false],
  ['é', 'e\u0301', false],
])('whether the secrets %j and %j are the same: %s', (a, b, equal) => {
  expect(isSameSecret(a, b)).toBe(equal)
})

test('a lowercase secret has 32 characters of base32 and differs each time', () => {
  const secrets = Array.from({ length: 100 }, () => createLowercaseSecret())
  for (const secret of secrets) expect(secret).toMatch(/^[a-z2-7]{32}$/)
  expect(new Set(secrets).size).toBe(100)
})
