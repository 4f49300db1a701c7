import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseMmsNotification } from '../../../src/phone/received/mms-notification.js'

const text = (words: string) => Buffer.concat([Buffer.from(words), Buffer.of(0)])
const withLength = (octets: Buffer) => Buffer.concat([Buffer.of(octets.length), octets])
const field = (name: number, value: Buffer) => Buffer.concat([Buffer.of(0x80 | name), value])
const address = (words: string) => withLength(Buffer.concat([Buffer.of(0x80), text(words)]))

const type = field(0x0c, Buffer.of(0x82))
const transaction = field(0x18, text('T1'))
const version = field(0x0d, Buffer.of(0x92))
const from = field(0x09, address('+12025550143/TYPE=PLMN'))
const size = field(0x0e, Buffer.of(3, 1, 0x7a, 0x59))
const location = field(0x03, text('http://mmsc.example.com/1'))
const start = [type, transaction, version]

function encodePush(fields: readonly Buffer[], contentType = Buffer.of(0xbe)): Buffer {
  const headers = Buffer.concat([contentType, Buffer.of(0xaf, 0x84)])
  return Buffer.concat([Buffer.of(1, 6, headers.length), headers, ...fields])
}

it.each([
  ['all', [from, field(0x16, text('Holiday')), size], { subject: 'Holiday', size: 96_857 }],
  ['no subject', [from, size], { size: 96_857 }],
  ['an empty subject', [from, field(0x16, Buffer.of(0))], {}],
  [
    'a subject in UTF-8',
    [from, field(0x16, withLength(Buffer.concat([Buffer.of(0xea), text('Grüße')])))],
    { subject: 'Grüße' },
  ],
  [
    'a subject in UCS-2',
    [from, field(0x16, withLength(Buffer.from('0203e84f600000', 'hex')))],
    { subject: '你' },
  ],
  [
    'other fields between',
    [
      ...[field(0x08, Buffer.from('058103 03f480'.replace(' ', ''), 'hex')), from],
      ...[text('X-Vendor'), text('value'), field(0x0a, Buffer.of(0x80)), location, size],
    ],
    { size: 96_857 },
  ],
])('reads a notification with %s', (_, fields, expected) => {
  expect(parseMmsNotification(encodePush([...start, ...fields]))).toEqual({
    ...{ from: '+12025550143', transaction: 'T1' },
    ...expected,
  })
})

it.each([
  ['a content type in words', text('application/vnd.wap.mms-message')],
  ['a content type with a length', Buffer.of(3, 0xbe, 0x81, 0xea)],
])('reads a notification with %s', (_, contentType) => {
  expect(parseMmsNotification(encodePush([...start, from], contentType))).toMatchObject({
    from: '+12025550143',
  })
})

it('a sender that the operator hides is absent', () => {
  const hidden = field(0x09, Buffer.of(1, 0x81))
  expect(parseMmsNotification(encodePush([...start, hidden]))).toEqual({ transaction: 'T1' })
})

it.each([
  ['another push', encodePush([...start, from], text('text/vnd.wap.si'))],
  ['a report of a delivery', encodePush([field(0x0c, Buffer.of(0x86)), transaction])],
  ['a reply to a request', Buffer.concat([Buffer.of(1, 4, 1, 0xbe), ...start])],
  ['nothing', Buffer.alloc(0)],
])('%s is no notification', (_, octets) => {
  expect(parseMmsNotification(octets)).toBeUndefined()
})

it('any octets are read without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (octets, isPush) => {
      parseMmsNotification(isPush ? encodePush([...start, Buffer.from(octets)]) : octets)
    }),
  )
})
