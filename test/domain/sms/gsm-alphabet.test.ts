import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countSeptets,
  decodeSeptets,
  defaultTables,
  encodeSeptets,
  packSeptets,
  unpackSeptets,
} from '../../../src/domain/sms/gsm-alphabet.js'
import {
  getLockingTable,
  getSingleShiftTable,
  nationalLanguages,
} from '../../../src/domain/sms/national-tables.js'

test('packed septets are unpacked to the same septets after any number of fill bits', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(127), { maxLength: 160 }), fc.nat(6), (septets, fill) => {
      const octets = packSeptets(Uint8Array.from(septets), fill)
      expect([...unpackSeptets(octets, septets.length, fill)]).toEqual(septets)
    }),
  )
})

test('the alphabet has all its characters and no others', () => {
  const all = '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà\f^{}\\[~]|€'
  expect(decodeSeptets(encodeSeptets(all, defaultTables))).toBe(all)
  for (const other of ['`', 'ç', '\t', '\u001b', '你']) {
    expect(countSeptets(other, defaultTables)).toBeUndefined()
  }
})

test.each([
  ['a code that the extension table lacks', [0x61, 0x1b, 0x01, 0x62], 'a£b'],
  ['an escape', [0x61, 0x1b, 0x1b, 0x62], 'a b'],
  ['nothing', [0x61, 0x1b], 'a '],
])('an escape before %s is read as 3GPP TS 23.038 says', (_, septets, text) => {
  expect(decodeSeptets(Uint8Array.from(septets))).toBe(text)
})

describe('the tables of a language', () => {
  test.each(nationalLanguages.map((language, at) => [language, at + 1] as const))(
    '%s have 128 codes, and each character is read as it was written',
    (_, language) => {
      const locking = getLockingTable(language)
      expect(locking).toHaveLength(128)
      const characters = [...locking, ...getSingleShiftTable(language).values()].join('')
      const text = characters.replaceAll('\u001b', '')
      const tables = { locking: language, single: language }
      expect(decodeSeptets(encodeSeptets(text, tables), tables)).toBe(text)
      expect(countSeptets('z0 \n', tables)).toBe(4)
      expect(countSeptets('€^{}[~]|\\', tables)).toBeDefined()
    },
  )

  test.each([
    ['turkish', 'L', 0x1d, 'ş'],
    ['spanish', 'S', 0x75, 'ú'],
    ['portuguese', 'L', 0x60, '~'],
    ['portuguese', 'S', 0x7b, 'ã'],
    ['bengali', 'L', 0x60, '\u09ce'],
    ['bengali', 'S', 0x19, '\u09e6'],
    ['gujarati', 'L', 0x7f, '\u0af1'],
    ['hindi', 'L', 0x5f, '\u094d'],
    ['hindi', 'S', 0x3a, '\u0971'],
    ['kannada', 'L', 0x24, '\u0ca1'],
    ['kannada', 'S', 0x2a, '\u0cf2'],
    ['malayalam', 'L', 0x7f, '\u0d79'],
    ['malayalam', 'S', 0x34, '\u0d7f'],
    ['oriya', 'L', 0x60, '\u0b56'],
    ['oriya', 'S', 0x2c, '\u0b71'],
    ['punjabi', 'L', 0x4e, '\u0a3c'],
    ['punjabi', 'S', 0x2d, '\u0a75'],
    ['tamil', 'L', 0x3c, '\u0ba9'],
    ['tamil', 'S', 0x2e, '\u0bfa'],
    ['telugu', 'L', 0x00, '\u0c01'],
    ['telugu', 'S', 0x32, '\u0c7f'],
    ['urdu', 'L', 0x7f, '\u0670'],
    ['urdu', 'S', 0x3f, '\u06d4'],
  ] as const)('%s has at %s %i the character %s', (language, kind, code, character) => {
    const number = nationalLanguages.indexOf(language) + 1
    const found =
      kind === 'L' ? getLockingTable(number)[code] : getSingleShiftTable(number).get(code)
    expect(found).toBe(character)
  })
})
