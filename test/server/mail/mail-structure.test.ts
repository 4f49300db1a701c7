import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { readMailParts } from '../../../src/server/mail/mail-parts.js'
import { readMessage } from './read-mail.js'

const top = 'From: bob@example.org\r\nMIME-Version: 1.0\r\n'
const text = 'Pump 2: 5 bar'

type Body = string | Buffer

/** A text with the fields of its head. */
function leaf(type: string, body: Body, more = ''): Buffer {
  const head = type === '' ? more : `Content-Type: ${type}\r\n${more}`
  return Buffer.concat([Buffer.from(`${head}\r\n`), Buffer.from(body)])
}

function group(subtype: string, boundary: string, ...parts: Buffer[]): Buffer {
  const lines = parts.flatMap(part => [Buffer.from(`--${boundary}\r\n`), part, Buffer.from('\r\n')])
  const type = `multipart/${subtype}; boundary="${boundary}"`
  return leaf(type, Buffer.concat([...lines, Buffer.from(`--${boundary}--\r\n`)]))
}

const plain = leaf('text/plain; charset=utf-8', text)
const html = leaf('text/html', '<style>p{}</style><p>Pump 2: <a href="https://e.example">5 bar</a>')
const picture = leaf('image/png', `${'iVBORw0K\r\n'.repeat(50_000)}`, 'Content-ID: <p>\r\n')
const footer = leaf('text/plain', 'Scanned.')
const base64 = 'Content-Transfer-Encoding: base64\r\n'
const quotedPrintable = 'Content-Transfer-Encoding: quoted-printable\r\n'
const invitation = leaf('text/calendar; method=REQUEST', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR')
const log = leaf('text/plain; name=log.txt', 'LOG', 'Content-Disposition: Attachment\r\n')

test.each([
  ['alternatives', group('alternative', 'a', plain, html), text],
  ['an empty plain alternative', group('alternative', 'a', leaf('text/plain', ' '), html), text],
  ['alternatives with a calendar', group('alternative', 'a', html, invitation), text],
  [
    'alternatives, pictures and a file',
    group(
      ...(['mixed', 'a'] as const),
      group('alternative', 'a-b', plain, group('related', 'a-c', html, picture)),
      log,
    ),
    text,
  ],
  ['HTML with its pictures', group('related', 'r', html, picture), text],
  ['a picture, then text', group('mixed', 'm', picture, plain), text],
  ['HTML and a footer', group('mixed', 'm', html, footer), `${text}\nScanned.`],
  [
    'text and a footer in HTML',
    group('mixed', 'm', plain, leaf('text/html', '<p>S')),
    `${text}\n\nS`,
  ],
  [
    'a signed mail',
    group('signed', 's', plain, leaf('application/pkcs7-signature', 'MIAG', base64)),
    text,
  ],
  [
    'a signed document as a file',
    group('mixed', 'm', plain, leaf('application/pkcs7-mime; name="bill.xml.p7m"', 'MIAG', base64)),
    text,
  ],
  [
    'an attached mail',
    group('mixed', 'm', plain, leaf('message/rfc822', group('mixed', 'n', footer))),
    text,
  ],
  ['a digest', group('mixed', 'm', plain, group('digest', 'd', leaf('', 'no'))), text],
  ['a group without an end', leaf('multipart/mixed; boundary=b', `--b\r\n\r\n${text}`), text],
  ['a group without its boundary', leaf('multipart/mixed; boundary=b', text), text],
  ['a group that names no boundary', leaf('multipart/mixed', text), text],
  [
    'a boundary in pieces',
    leaf('multipart/mixed; boundary*0="b";\r\n boundary*1=c', `--bc \r\n\r\n${text}\r\n--bc--`),
    text,
  ],
  ['a type of old', leaf('TEXT', text), text],
  ['parameters without a semicolon', leaf('text/plain charset=koi8-r', Buffer.from([0xc4])), 'д'],
  ['a charset of DOS', leaf('text/plain; charset=cp850', iconv.encode('Öl', 'cp850')), 'Öl'],
  ['UTF-7', leaf('text/plain; charset=utf-7', '+ANY-l'), 'Öl'],
  ['an unknown charset', leaf('text/plain; charset=x-unknown', Buffer.from('Öl')), 'Öl'],
  ['windows-1252 as UTF-8', leaf('text/plain; charset=utf-8', Buffer.from([0xd6, 0x6c])), 'Öl'],
  [
    'a cut character',
    leaf('text/plain; charset=utf-8', Buffer.from('Öl Ö').subarray(0, -1)),
    'Öl \ufffd',
  ],
  ['no charset, encoded', leaf('text/plain', '=D6l', quotedPrintable), 'Öl'],
  [
    'small digits and spaces behind a break',
    leaf(
      '',
      `Pump=20=\t \r\n2:=c2=a05 bar =`,
      `${quotedPrintable}Content-Type: text/plain; charset=utf-8\r\n`,
    ),
    text,
  ],
  [
    'a footer below base64',
    leaf('text/plain', `UHVtcCAyOiA1IGJhcg==\r\n-- \r\nList`, base64),
    text,
  ],
  [
    'a picture within HTML',
    leaf('text/html', `<img src="data:image/png;base64,${'A'.repeat(300_000)}">${text}`),
    text,
  ],
  ['a long line', leaf('text/plain', `${text}${' '.repeat(100_000)}\r\n--`), `${text}\n--`],
])('%s', async (_, mail, expected) => {
  expect(await readMessage(Buffer.concat([Buffer.from(top), mail]))).toBe(expected)
})

test('of a large mail only its texts are held', async () => {
  function* send() {
    yield Buffer.from(`${top}Content-Type: multipart/mixed; boundary=b\r\n\r\n`)
    yield Buffer.from('--b\r\nContent-Type: image/png\r\n\r\n')
    for (let at = 0; at < 400; at += 1) yield Buffer.alloc(65_536, 'iVBORw0K\r\n')
    yield Buffer.from(`\r\n--b\r\n\r\n${text}\r\n--b--\r\n`)
  }
  const { root } = await readMailParts(send(), 25 * 1024 * 1024 + 1000)
  expect(root.parts.map(part => Buffer.concat(part.body).toString())).toEqual([`${text}\r\n`])
})
