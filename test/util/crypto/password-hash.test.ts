import { describe, expect, test } from 'vitest'
import {
  createDummyHash,
  defaultPasswordCost,
  hashPassword,
  verifyPassword,
} from '../../../src/util/crypto/password-hash.js'

describe('a hashed password', () => {
  test('matches only itself', async () => {
    const stored = await hashPassword('correct horse')
    expect(stored).not.toContain('correct')
    expect(await verifyPassword('correct horse', stored)).toBe(true)
    expect(await verifyPassword('correct Horse', stored)).toBe(false)
    expect(await verifyPassword('', stored)).toBe(false)
  })

  test('has the default cost unless another one is given', async () => {
    expect(defaultPasswordCost).toEqual({ N: 32_768, r: 8, p: 1 })
    expect(await hashPassword('a')).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(await hashPassword('a', { N: 16, r: 4, p: 2 })).toMatch(/^scrypt\$16\$4\$2\$/)
  })

  test('of a dummy has the same cost and matches nothing', async () => {
    expect(createDummyHash()).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(createDummyHash({ N: 16, r: 4, p: 2 })).toMatch(
      /^scrypt\$16\$4\$2\$[\w-]{22}\$[\w-]{43}$/,
    )
    expect(await verifyPassword('', createDummyHash())).toBe(false)
  })

  test('has a new salt each time', async () => {
    expect(await hashPassword('a')).not.toBe(await hashPassword('a'))
  })

  test('matches in any Unicode normalization form', async () => {
    expect(await verifyPassword('e\u0301ﬁ', await hashPassword('éfi'))).toBe(true)
  })

  test('is checked with the cost that is stored with it (example of RFC 7914)', async () => {
    const salt = Buffer.from('NaCl').toString('base64url')
    const hex = 'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162'
    const format = (cost: string) =>
      `scrypt$${cost}$${salt}$${Buffer.from(hex, 'hex').toString('base64url')}`
    expect(await verifyPassword('password', format('1024$8$16'))).toBe(true)
    expect(await verifyPassword('password', format('1024$8$15'))).toBe(false)
  })

  test.each(['', 'plain', 'bcrypt$1$1$1$AAAA$AAAA', 'scrypt', 'scrypt$1024$8$1$AAAA'])(
    'matches nothing if it is stored as %j',
    async stored => {
      expect(await verifyPassword('plain', stored)).toBe(false)
      expect(await verifyPassword('', stored)).toBe(false)
    },
  )
})
