import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SmtpRejection } from '../../../src/server/mail/smtp-reply.js'
import { measureProcessorTime } from '../../processor-time.js'
import { scale } from '../../tier.js'
import { readMail } from './read-mail.js'

const piece = fc.constantFrom(
  ...[
    'From: ',
    'bob@example.org',
    '<>',
    ',',
    ';',
    ':',
    '"',
    '\r\n',
    '\n',
    '\r\n\r\n',
    ' ',
    '\0',
    '\xff',
  ],
  ...[
    'Content-Type: text/plain; charset=',
    'utf-16',
    'x-unknown',
    '; format=flowed',
    '=?utf-8?B?',
    '?=',
  ],
  ...[
    'Content-Type: multipart/mixed; boundary=',
    'b',
    '--b',
    '--b--',
    'Content-Type: message/rfc822',
  ],
  ...[
    'Content-Transfer-Encoding: base64',
    'quoted-printable',
    '=',
    '=3D',
    'Message-ID: <a@b>',
    'Date: ',
  ],
  ...['Subject: ', 'text', 'Content-Type: text/html', '<p>'],
)
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 500 }),
  fc
    .array(piece, { maxLength: 60 })
    .map(all => new Uint8Array(Buffer.from(all.join(''), 'latin1'))),
)

test('any bytes are parsed or rejected', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, async raw => {
      try {
        const mail = await readMail(raw)
        expect(mail.from.every(each => typeof each === 'string')).toBe(true)
        expect(typeof mail.text + typeof mail.subject).toBe('stringstring')
      } catch (error) {
        expect(error).toBeInstanceOf(SmtpRejection)
      }
    }),
    { numRuns: scale(500) },
  )
})

test('endlessly nested parts are rejected', async () => {
  const nested = Array.from(
    { length: 100 },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  )
  await expect(readMail(Buffer.from(nested.join('')))).rejects.toMatchObject({ responseCode: 554 })
})

test.each(['\n', 'a\n'])('a MiB of %j is parsed quickly', async line => {
  const mail = Buffer.from(`From: bob@example.org\n\n${line.repeat(1024 * 1024)}`)
  expect(await measureProcessorTime(() => readMail(mail))).toBeLessThan(8000)
})

test('a header that would take seconds is rejected', async () => {
  const mail = Buffer.from(`From: bob@example.org\nTo: ${'wrote:'.repeat(20_000)}\n\nHello`)
  await expect(readMail(mail)).rejects.toMatchObject({ responseCode: 554 })
})

test('only the first of many short lines are parsed', async () => {
  const mail = await readMail(Buffer.from(`From: bob@example.org\n\n${'a\n'.repeat(100_000)}`))
  expect(mail.text.startsWith('a\na\n')).toBe(true)
  expect(mail.text.length).toBeGreaterThan(30_000)
  expect(mail.text.length).toBeLessThan(40_000)
})
