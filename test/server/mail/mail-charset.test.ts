import { describe, expect, test } from 'vitest'
import { createMailReader } from '../../../src/server/mail/mail-text.js'
import { charsetVectors } from '../../charset-vectors.js'
import { readMail } from './read-mail.js'

const from = 'From: bob@example.org'

async function parse(fields: readonly string[], body: Uint8Array | string = '') {
  const head = [from, 'MIME-Version: 1.0', ...fields, '', ''].join('\r\n')
  return await readMail(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]))
}

function encodeQuotedPrintable(bytes: Uint8Array): string {
  const codes = [...bytes].map(byte => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
  return codes.map((code, at) => (at % 20 === 19 ? `${code}=\r\n` : code)).join('')
}

/** Encoded words of at most 45 bytes each, which can end within a character (RFC 2047). */
function encodeWords(label: string, bytes: Uint8Array): string {
  const words: string[] = []
  for (let at = 0; at < bytes.length; at += 45) {
    const piece = Buffer.from(bytes.subarray(at, at + 45)).toString('base64')
    words.push(`=?${label}?B?${piece}?=`)
  }
  return words.join('\r\n ')
}

describe.each(charsetVectors)(
  'mail in $label has exact characters',
  ({ label, bytes, text, others }) => {
    const type = (subtype: string) => `Content-Type: text/${subtype}; charset=${label}`

    test.each([
      ['8bit', bytes],
      ['base64', bytes.toString('base64')],
      ['quoted-printable', encodeQuotedPrintable(bytes)],
    ])('in a body in %s', async (encoding, body) => {
      const fields = [type('plain'), `Content-Transfer-Encoding: ${encoding}`]
      expect((await parse(fields, body)).text.trim()).toBe(text.trim())
    })

    test('in HTML', async () => {
      const joined = text.replace(/\s+/g, ' ').trim()
      expect((await parse([type('html')], bytes)).text.trim()).toBe(joined)
    })

    test('in the encoded words of a subject', async () => {
      const subject = encodeWords(label, others.bytes)
      expect((await parse([`Subject: ${subject}`])).subject).toBe(others.text)
    })
  },
)

test('currency and quotation marks reach the text message', async () => {
  const body = Buffer.from([0x93, 0x80, 0x35, 0x94, 0x20, 0x92])
  const mail = await parse(['Content-Type: text/plain; charset=ISO-8859-1'], body)
  expect(createMailReader(mail)({ subject: 'never', length: 160 })).toBe('“€5” ’')
})

test('a character reference to a control character is one of windows-1252', async () => {
  const mail = await parse(['Content-Type: text/html; charset=utf-8'], '<p>&#147;5 &#x80;&#148;')
  expect(createMailReader(mail)({ subject: 'never', length: 160 })).toBe('“5 €”')
})

describe('programs that name no charset or the wrong one', () => {
  test.each([
    ['UTF-8 without a charset', 'text/plain', Buffer.from('Müller: 5 €')],
    ['UTF-8 labelled us-ascii', 'text/plain; charset=us-ascii', Buffer.from('Müller: 5 €')],
    [
      'UTF-8 labelled as cron does',
      'text/plain; charset=ANSI_X3.4-1968',
      Buffer.from('Müller: 5 €'),
    ],
    [
      'windows-1252 without a charset',
      'text/plain',
      Buffer.from('M\u00fcller: 5 \u0080', 'latin1'),
    ],
  ])('%s', async (_, type, body) => {
    expect((await parse([`Content-Type: ${type}`], body)).text.trim()).toBe('Müller: 5 €')
  })

  test('UTF-8 labelled us-ascii in a part', async () => {
    const part = 'Content-Type: text/plain;\r\n\tcharset="us-ascii"\r\n\r\nMüller: 5 €\r\n'
    const type = 'Content-Type: multipart/mixed; boundary=b'
    expect((await parse([type], `--b\r\n${part}--b--\r\n`)).text.trim()).toBe('Müller: 5 €')
  })

  test('a mail without MIME fields in windows-1252', async () => {
    const bytes = Buffer.from(`${from}\r\nSubject: Stra\u00dfe\r\n\r\n5 \u0080\r\n`, 'latin1')
    expect(await readMail(bytes)).toMatchObject({ subject: 'Straße', text: '5 €\n' })
  })

  test('a subject in windows-1252 without encoded words, above a labelled body', async () => {
    const fields = ['Subject: Stra\u00dfe', 'Content-Type: text/plain; charset=koi8-r']
    const mail = await parse(fields, Buffer.from([0xc4, 0xc1]))
    expect(mail).toMatchObject({ subject: 'Straße', text: 'да\n' })
  })
})
