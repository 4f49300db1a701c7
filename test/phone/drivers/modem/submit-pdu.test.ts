import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitIntoParts } from '../../../../src/domain/sms/sms-parts.js'
import { encodeSubmitPdu } from '../../../../src/phone/drivers/modem/submit-pdu.js'
import { readSubmit } from './read-submit.js'

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

  it('a part of several has its position in a header, and its text begins at a septet', () => {
    const [first, second] = splitIntoParts('a'.repeat(161))
    if (first === undefined || second === undefined) throw new Error('no parts')
    const place = { reference: 0xcc, count: 2, number: 2 }
    const hex = '0041000B912120550521F300000F050003CC0202C2E170381C0E8701'
    expect(first.text).toHaveLength(153)
    expect(encodeSubmitPdu('+12025550123', second, place).hex).toBe(hex)
  })

  it.each([
    ['kış', { locking: 0, single: 1 }, '0A03240101586FD29B39'],
    ['नमस्ते', { locking: 6, single: 0 }, '0B03250106780999DF5316'],
  ])('%s in national language tables names them in a header', (text, tables, hex) => {
    const { hex: all } = encodeSubmitPdu('123', { alphabet: 'GSM-7', text, tables }, alone)
    expect(all).toBe(`004100038121F30000${hex}`)
  })

  it('requests a delivery receipt if the option is set', () => {
    const [part] = splitIntoParts('a')
    if (part === undefined) throw new Error('no part')
    expect(encodeSubmitPdu('+1202', part, alone, { report: true }).hex.slice(2, 4)).toBe('21')
  })

  it('the parts of any text, joined, are the text', () => {
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
})
