import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { isSignedBy, signWebhook } from '../../../src/contract/webhook/webhook-signature.js'
import { createSigningSecret } from '../../../src/util/crypto/secrets.js'

test('a signature is that of the standardwebhooks library, for any content', () => {
  const content = fc.record({
    id: fc.string({ minLength: 1 }),
    timestamp: fc.integer({ min: 0, max: 4_102_444_800 }),
    body: fc.string({ unit: 'binary' }).map(text => text.toWellFormed()),
  })
  const keys = fc.array(fc.uint8Array({ minLength: 1, maxLength: 64 }), {
    minLength: 1,
    maxLength: 3,
  })
  fc.assert(
    fc.property(content, keys, ({ id, timestamp, body }, all) => {
      const secrets = all.map(key => `whsec_${Buffer.from(key).toString('base64')}`)
      const at = new Date(timestamp * 1000)
      const expected = secrets.map(secret => new Webhook(secret).sign(id, at, body)).join(' ')
      expect(signWebhook({ id, timestamp, body }, secrets)).toBe(expected)
    }),
  )
})

test('one of several signatures is enough', () => {
  const content = { id: 'evt_1', timestamp: 1_893_456_000, body: '{}' }
  const [old, current, other] = [
    createSigningSecret(),
    createSigningSecret(),
    createSigningSecret(),
  ]
  const signature = signWebhook(content, [current, old]) ?? ''
  expect(isSignedBy(content, signature, old)).toBe(true)
  expect(isSignedBy(content, signature, current)).toBe(true)
  expect(isSignedBy(content, signature, other)).toBe(false)
  expect(isSignedBy({ ...content, body: '{ }' }, signature, old)).toBe(false)
})

test('without a secret there is no signature', () => {
  expect(signWebhook({ id: 'a', timestamp: 0, body: '' }, [])).toBeUndefined()
})

test.each(['', 'whsec_', 'whsec_a b', 'whsec_ä', 'whsec_a==='])(
  'the malformed secret %j is an error',
  secret => {
    expect(() => signWebhook({ id: 'a', timestamp: 0, body: '' }, [secret])).toThrow(TypeError)
  },
)
