import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeDeliverPdu } from '../../../../src/phone/drivers/modem/deliver-pdu.js'

describe('SMS-DELIVER and SMS-STATUS-REPORT', () => {
  it.each([
    [
      '07917283010010F5040BC87238880900F10000993092516195800AE8329BFD4697D9EC37',
      { from: '27838890001', text: 'hellohello', at: Date.UTC(1999 + 100, 2, 29, 13, 16, 59) },
    ],
    [
      '07911326040000F0040B911346610089F60000208062917314080CC8F71D14969741F977FD07',
      { from: '+31641600986', text: 'How are you?', at: Date.UTC(2002, 7, 26, 19, 37, 41) },
    ],
    [
      '0004 09 D0 C8F71D1406 00 00 62 11 12 21 43 65 80 02 C834'.replaceAll(' ', ''),
      { from: 'How a', text: 'Hi', at: Date.UTC(2026, 10, 21, 10, 34, 56) },
    ],
    [
      '000403A12 1F3000811302000000000 024F60'.replaceAll(' ', ''),
      { from: '123', text: '你', at: Date.UTC(2011, 2, 2, 0, 0, 0) },
    ],
    [
      '0044 03A121F3 00 00 81130200000000 0A 03240101 586FD29B39'.replaceAll(' ', ''),
      { from: '123', text: 'kış' },
    ],
    [
      '0044 03A121F3 00 00 81130200000000 0B 03250106 780999DF5316'.replaceAll(' ', ''),
      { from: '123', text: 'नमस्ते' },
    ],
  ])('a received text: %s', (hex, expected) => {
    expect(decodeDeliverPdu(hex)).toMatchObject({ kind: 'text', ...expected })
  })

  it.each([
    ['an ordinary text', '00 00', '00', 'E8329BFD06', 5, { text: 'hello' }],
    ['a replacement', '41 00', '00', 'E8329BFD06', 5, { text: 'hello' }],
    ['type 0', '40 00', '00', 'E8329BFD06', 5, { content: 'a silent SMS (type 0)' }],
    ['data for the SIM', '7F F6', '00', '0102', 2, { content: 'data for the SIM' }],
    ['voice mail without words', '00 C8', '00', '', 0, { content: /waiting/ }],
    ['voice mail by its header', '00 00', '40', '040102000100', 6, { content: /waiting/ }],
    ['voice mail with words', '00 D8', '00', 'E8329BFD06', 5, { text: 'hello' }],
    ['octets', '00 F5', '00', 'FF01', 2, { isData: true, text: '\xff\x01' }],
    ['octets of 0x04', '00 04', '00', '4849', 2, { isData: true, text: 'HI' }],
    [
      'a WAP push',
      '00 F5',
      '40',
      '0605040B8423F001',
      8,
      { isData: true, port: 2948, text: '\x01' },
    ],
    ['a short port', '00 04', '40', '040402F5F501', 6, { isData: true, port: 245 }],
    ['a reserved port', '00 08', '40', '060504FFFFFFFF0048', 9, { text: 'H' }],
    ['octets for a reserved port', '00 04', '40', '040402010148', 6, { text: 'H', isData: true }],
  ])('%s', (_, coding, flags, data, length, expected) => {
    const first = (0x04 | Number.parseInt(flags, 16)).toString(16).padStart(2, '0')
    const hex = `00${first}03A121F3${coding}62111221436580${toHex(length)}${data}`
    const { content, ...rest } = expected as { content?: unknown }
    const match = content instanceof RegExp ? expect.stringMatching(content) : content
    expect(decodeDeliverPdu(hex.replaceAll(' ', ''))).toMatchObject({
      ...(content === undefined ? { kind: 'text' } : { kind: 'service', content: match }),
      ...rest,
    })
  })

  it.each([
    ['month 13', '62311221436580'],
    ['hexadecimal digits', '621112F1436580'],
    ['nothing', '00000000000000'],
    ['no zone', '621112214365FF'],
    ['30 February', '62200321436500'],
  ])('a time stamp with %s is no time', (_, stamp) => {
    const decoded = decodeDeliverPdu(`000403A121F30008${stamp}024F60`)
    expect(decoded).toMatchObject({ text: '你', at: 0 })
  })

  it('a delivery receipt', () => {
    const report = '0006 2A 0B91 2120550521F3 62111221436500 62111221437500 '
    const states = [
      ['00', 'delivered'],
      ['30', 'pending'],
      ['46', 'expired'],
      ['40', 'undelivered'],
    ]
    for (const [status, state] of states) {
      expect(decodeDeliverPdu((report + status).replaceAll(' ', ''))).toMatchObject({
        ...{ kind: 'report', reference: 42, to: '+12025550123', state },
      })
    }
  })

  it('any other bytes are rejected with an error that is not a TypeError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), bytes => {
        const hex = Buffer.from(bytes).toString('hex')
        let outcome: unknown
        try {
          outcome = decodeDeliverPdu(hex).kind
        } catch (error) {
          outcome = error instanceof Error && !(error instanceof TypeError) && 'error'
        }
        expect(['text', 'service', 'report', 'error']).toContain(outcome)
      }),
    )
  })
})

function toHex(octet: number): string {
  return octet.toString(16).padStart(2, '0')
}
