import { expect, test } from 'vitest'
import { computeTotp, findTotpStep } from '../../../src/util/crypto/totp.js'

/** "12345678901234567890" in base32. */
const secret = 'gezdgnbvgy3tqojqgezdgnbvgy3tqojq'

/** RFC 6238, appendix B: seconds since the epoch and the last six of the eight digits. */
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at %i s is %s', (seconds, code) => {
  expect(computeTotp(secret, seconds * 1000)).toBe(code)
  expect(computeTotp(secret.toUpperCase(), seconds * 1000)).toBe(code)
})

test('a code is accepted in its step and in those next to it', () => {
  const code = computeTotp(secret, 90_000)
  const steps = [29_999, 30_000, 60_000, 90_000, 120_000, 149_999, 150_000]
  const found = steps.map(now => findTotpStep(secret, code, now))
  expect(found).toEqual([undefined, undefined, 3, 3, 3, 3, undefined])
  expect(findTotpStep(secret, 'wrong', 90_000)).toBeUndefined()
})
