import { describe, expect, test } from 'vitest'
import {
  createDummyHash,
  createSecret,
  defaultPasswordCost,
  hashPassword,
  hashText,
  isSameSecret,
  verifyPassword,
} from '../../../src/util/crypto/secrets.js'

test('a secret has 256 bits behind its prefix, and is another each time', () => {
  const secrets = Array.from({ length: 100 }, () => createSecret('sk_'))
  for (const secret of secrets) expect(secret).toMatch(/^sk_[\w-]{43}$/)
  expect(new Set(secrets).size).toBe(100)
  expect(createSecret()).toMatch(/^[\w-]{43}$/)
})

test('a digest is SHA-256 as base64url', () => {
  expect(hashText('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
})

test.each([
  ['same', 'same', true],
  ['same', 'samE', false],
  ['same', 'same ', false],
  ['', '', true],
  ['', 'a', false],
  ['é', 'e\u0301', false],
])('%j equals %j: %s', (a, b, equal) => {
  expect(isSameSecret(a, b)).toBe(equal)
})

describe('a password', () => {
  test('is known again by its hash, and no other is', async () => {
    const kept = await hashPassword('correct horse')
    expect(kept).not.toContain('correct')
    expect(await verifyPassword('correct horse', kept)).toBe(true)
    expect(await verifyPassword('correct Horse', kept)).toBe(false)
    expect(await verifyPassword('', kept)).toBe(false)
  })

  test('takes 32 MiB and a tenth of a second to try, unless it is said otherwise', async () => {
    expect(defaultPasswordCost).toEqual({ N: 32_768, r: 8, p: 1 })
    expect(await hashPassword('a')).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(await hashPassword('a', { N: 16, r: 4, p: 2 })).toMatch(/^scrypt\$16\$4\$2\$/)
  })

  test('of nobody takes as much as any, and is none', async () => {
    expect(createDummyHash()).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(createDummyHash({ N: 16, r: 4, p: 2 })).toMatch(
      /^scrypt\$16\$4\$2\$[\w-]{22}\$[\w-]{43}$/,
    )
    expect(await verifyPassword('', createDummyHash())).toBe(false)
  })

  test('has another hash each time', async () => {
    expect(await hashPassword('a')).not.toBe(await hashPassword('a'))
  })

  test('is the same however its letters are composed', async () => {
    expect(await verifyPassword('e\u0301ﬁ', await hashPassword('éfi'))).toBe(true)
  })

  test('is checked with the cost it was kept with: the example of RFC 7914', async () => {
    const salt = Buffer.from('NaCl').toString('base64url')
    const hex = 'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162'
    const kept = (cost: string) =>
      `scrypt$${cost}$${salt}$${Buffer.from(hex, 'hex').toString('base64url')}`
    expect(await verifyPassword('password', kept('1024$8$16'))).toBe(true)
    expect(await verifyPassword('password', kept('1024$8$15'))).toBe(false)
  })

  test.each(['', 'plain', 'bcrypt$1$1$1$AAAA$AAAA', 'scrypt', 'scrypt$1024$8$1$AAAA'])(
    'is nothing kept as %j',
    async kept => {
      expect(await verifyPassword('plain', kept)).toBe(false)
      expect(await verifyPassword('', kept)).toBe(false)
    },
  )
})
