import { expect, test } from 'vitest'
import { createUniqueKey } from '../../src/client/call-options.js'
import { limits } from '../../src/domain/limits.js'

test('keys of the same millisecond differ, and each is a valid idempotency key', () => {
  const keys = Array.from({ length: 10_000 }, createUniqueKey)
  expect(new Set(keys).size).toBe(keys.length)
  for (const key of keys) expect(key).toMatch(/^[0-9a-z]+-[0-9a-z]+-[0-9a-z]+$/)
  expect(Math.max(...keys.map(key => key.length))).toBeLessThan(limits.idempotencyKey)
})
