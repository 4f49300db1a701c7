import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fromSeptets,
  packSeptets,
  toSeptets,
  unpackSeptets,
} from '../../../src/domain/sms/gsm-alphabet.js'
import { countSmsParts } from '../../../src/domain/sms/segments.js'
import { splitIntoParts } from '../../../src/domain/sms/sms-parts.js'
import { decodeDeliverPdu } from '../../../src/phone/drivers/modem/deliver-pdu.js'
import { encodeSubmitPdu } from '../../../src/phone/drivers/modem/submit-pdu.js'
import { readSubmit } from '../../phone/drivers/modem/read-submit.js'

const alone = { reference: 7, count: 1, number: 1 }

function pdu(destination: string, text: string) {
  const [part] = splitIntoParts(text)
  if (part === undefined) throw new Error('no part')
  return encodeSubmitPdu(destination, part, alone)
}

const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abc 1@£\n€[]{}|~^\\'), minLength: 1, maxLength: 400 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('a', '€', 'é', '😀'), minLength: 1, maxLength: 400 }),
)

describe('SMS-SUBMIT', () => {
  it.each([
    ['+46708251358', 'hellohello', '0001000B916407281553F800000AE8329BFD4697D9EC37'],
    ['123', '@', '00010003812 1F300000100'.replace(' ', '')],
    ['+12025550123', '€', '0001000B912120550521F30000029B32'],
    ['+12025550123', 'ñ你', '0001000B912120550521F300080400F14F60'],
    ['+12025550123', '1234567', '0001000B912120550521F300000731D98C56B3DD00'],
    ['+12025550123', '12345678', '0001000B912120550521F300000831D98C56B3DD70'],
  ])('to %s: %s', (destination, text, hex) => {
    expect(pdu(destination, text)).toEqual({ hex, length: hex.length / 2 - 1 })
  })

  it('a part of several has its place in a header, and the text begins at a septet', () => {
    const [first, second] = splitIntoParts('a'.repeat(161))
    if (first === undefined || second === undefined) throw new Error('no parts')
    const place = { reference: 0xcc, count: 2, number: 2 }
    const hex = '0041000B912120550521F300000F050003CC0202C2E170381C0E8701'
    expect(first.units).toHaveLength(153)
    expect(encodeSubmitPdu('+12025550123', second, place).hex).toBe(hex)
  })

  it('asks for a delivery report when told to', () => {
    const [part] = splitIntoParts('a')
    if (part === undefined) throw new Error('no part')
    expect(encodeSubmitPdu('+1202', part, alone, { report: true }).hex.slice(2, 4)).toBe('21')
  })

  it('whatever the text, its parts put together are the text', () => {
    fc.assert(
      fc.property(anyText, fc.nat(255), (text, reference) => {
        const parts = splitIntoParts(text)
        const read = parts.map((part, at) =>
          readSubmit(
            encodeSubmitPdu('+12025550123', part, {
              reference,
              count: parts.length,
              number: at + 1,
            }).hex,
          ),
        )
        expect(read.map(each => each.text).join('')).toBe(text)
        expect(read.every(each => each.to === '+12025550123')).toBe(true)
        const places = read.map(each => each.place)
        if (parts.length === 1) expect(places).toEqual([undefined])
        else
          expect(places).toEqual(
            parts.map((_, at) => ({ reference, count: parts.length, number: at + 1 })),
          )
      }),
    )
  })

  it('no part is too long for the air, none ends within a character', () => {
    fc.assert(
      fc.property(anyText, text => {
        const parts = splitIntoParts(text)
        for (const { alphabet, units } of parts) {
          const most = alphabet === 'GSM-7' ? [160, 153] : [70, 67]
          expect(units.length).toBeLessThanOrEqual(most[parts.length === 1 ? 0 : 1] ?? 0)
          expect(alphabet === 'GSM-7' && units.at(-1) === 0x1b).toBe(false)
          expect(alphabet === 'UCS-2' && ((units.at(-1) ?? 0) & 0xfc00) === 0xd800).toBe(false)
        }
      }),
    )
  })

  it('needs as many parts as are shown for it', () => {
    const plain = fc.string({
      unit: fc.constantFrom(...'abc €[é你'),
      minLength: 1,
      maxLength: 700,
    })
    fc.assert(
      fc.property(plain, text => {
        expect({
          alphabet: splitIntoParts(text)[0]?.alphabet,
          parts: splitIntoParts(text).length,
        }).toEqual(countSmsParts(text))
      }),
    )
  })
})

describe('the default alphabet', () => {
  it('packs and unpacks after any number of bits', () => {
    const septets = fc.array(fc.nat(127), { maxLength: 160 })
    fc.assert(
      fc.property(septets, fc.nat(6), (codes, fill) => {
        expect(unpackSeptets(packSeptets(codes, fill), codes.length, fill)).toEqual(codes)
      }),
    )
  })

  it('has all its characters, and no others', () => {
    const all = '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà\f^{}\\[~]|€'
    expect(fromSeptets((toSeptets(all) ?? []).flat())).toBe(all)
    for (const other of ['`', 'ç', '\t', '\u001b', '你']) expect(toSeptets(other)).toBeUndefined()
  })
})

describe('what comes in', () => {
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
  ])('a text: %s', (hex, expected) => {
    expect(decodeDeliverPdu(hex)).toMatchObject({ kind: 'text', ...expected })
  })

  it('a delivery report', () => {
    const report = '0006 2A 0B91 2120550521F3 62111221436500 62111221437500 '
    const states = [
      ['00', 'delivered'],
      ['30', 'trying'],
      ['46', 'failed'],
    ]
    for (const [status, state] of states) {
      expect(decodeDeliverPdu((report + status).replaceAll(' ', ''))).toMatchObject({
        ...{ kind: 'report', reference: 42, to: '+12025550123', state },
      })
    }
  })

  it('no bytes whatever do more than throw an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), bytes => {
        const hex = Buffer.from(bytes).toString('hex')
        let said: unknown
        try {
          said = decodeDeliverPdu(hex).kind
        } catch (error) {
          said = error instanceof Error && !(error instanceof TypeError) && 'error'
        }
        expect(['text', 'report', 'error']).toContain(said)
      }),
    )
  })
})
