import { expect, test } from 'vitest'
import { parseMailRelayConfig } from '../../../src/server/config/mail-relay-config.js'

test('without a server there is no outgoing mail', () => {
  expect(parseMailRelayConfig({}, 'example.com')).toBe(undefined)
})

test.each([
  ['smtp://127.0.0.1:25', false],
  ['smtp://ann:secret@mail.example.com:587', true],
  ['smtps://mail.example.com', true],
])('%s is a mail server; a login needs TLS: %s', (mailRelay, requireTls) => {
  const from = 'smsrelay@example.org'
  expect(parseMailRelayConfig({ mailRelay }, 'example.org')).toEqual({
    ...{ url: mailRelay, from, requireTls },
  })
})

test.each(['mail.example.com', 'http://h', 'smtp:', 'smtp://'])(
  'the server %j is a usage error that does not repeat it',
  mailRelay => {
    expect(() => parseMailRelayConfig({ mailRelay }, 'h')).toThrowError(
      expect.objectContaining({ code: 'usage', message: expect.not.stringContaining('smtp:/') }),
    )
  },
)

test.each(['ann', 'ann@', 'Ann <ann@example.com>', 'a@b\r\nBcc: c@d'])(
  'the sender %j is a usage error',
  mailFrom => {
    const settings = { mailRelay: 'smtp://h', mailFrom }
    expect(() => parseMailRelayConfig(settings, 'h')).toThrowError(
      expect.objectContaining({ code: 'usage' }),
    )
  },
)
