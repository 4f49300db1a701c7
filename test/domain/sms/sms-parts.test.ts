import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countSmsParts,
  decodeUcs2,
  encodePartHeader,
  encodeUcs2,
  parsePartHeader,
  splitIntoParts,
} from '../../../src/domain/sms/sms-parts.js'

const gsm = 'GSM-7'
const ucs = 'UCS-2'

const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abc 1@£\n€[]{}|~^\\'), minLength: 1, maxLength: 400 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('a', '€', 'é', '😀'), minLength: 1, maxLength: 400 }),
)

describe('alphabet and number of parts', () => {
  test.each<[string, string, string, number]>([
    ['an empty text', '', gsm, 1],
    ['one letter', 'a', gsm, 1],
    ['160 letters', 'a'.repeat(160), gsm, 1],
    ['161 letters', 'a'.repeat(161), gsm, 2],
    ['306 letters', 'a'.repeat(306), gsm, 2],
    ['307 letters', 'a'.repeat(307), gsm, 3],
    ['letters of the GSM alphabet', '@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¡ÄÖÑÜ§¿äöñüà', gsm, 1],
    ['line ends CR LF', 'a\r\nb', gsm, 1],
    ['the extension table', '^{}\\[~]|€\f', gsm, 1],
    ['80 extension characters', '€'.repeat(80), gsm, 1],
    ['81 extension characters', '€'.repeat(81), gsm, 2],
    ['an extension character at the end of a part', surround(152, '€', 152), gsm, 3],
    ['one letter outside the alphabet', 'ж', ucs, 1],
    ['70 UTF-16 units', 'ж'.repeat(70), ucs, 1],
    ['71 UTF-16 units', 'ж'.repeat(71), ucs, 2],
    ['134 UTF-16 units', 'ж'.repeat(134), ucs, 2],
    ['135 UTF-16 units', 'ж'.repeat(135), ucs, 3],
    ['160 letters, one of them outside the alphabet', `${'a'.repeat(159)}ç`, ucs, 3],
    ['an emoji', '😀', ucs, 1],
    ['35 emoji', '😀'.repeat(35), ucs, 1],
    ['36 emoji', '😀'.repeat(36), ucs, 2],
    ['an emoji at the end of a part', surround(66, '😀', 66, 'ж'), ucs, 3],
    ['a NUL', '\u0000', ucs, 1],
    ['a lone surrogate', '\ud800', ucs, 1],
    ['German', 'Ihr Termin ist am 3. März um 14:30 Uhr. Bitte bestätigen: JA/NEIN', gsm, 1],
    ['French with ç', 'Votre colis est arrivé, reçu nº 12 au guichet.', ucs, 1],
    ['Spanish with í', 'Su código de verificación es 123456. Válido 5 días.', ucs, 1],
    ['Polish', 'Twój kod weryfikacyjny to 123456. Nie udostępniaj go nikomu innemu.', ucs, 1],
    ['Greek capitals', 'Ο ΚΩΔΙΚΟΣ ΣΑΣ', ucs, 1],
    ['a typographic apostrophe', 'It’s here', ucs, 1],
    ['a web address', 'https://example.com/a?b=[1]&c={2}~3', gsm, 1],
    ['33 thumbs with a skin tone', '👍🏽'.repeat(33), ucs, 2],
    ['33 flags', '🇩🇪'.repeat(33), ucs, 2],
    ['67 letters with a combining mark', 'e\u0301'.repeat(67), ucs, 2],
    ['67 Devanagari syllables', 'नि'.repeat(67), ucs, 2],
    ['67 decomposed Hangul syllables', '\u1112\u1161\u11ab'.repeat(67), ucs, 3],
    ['one letter with 134 combining marks', `a${'\u0301'.repeat(134)}`, ucs, 3],
  ])('%s', (_, text, alphabet, parts) => {
    expect(countSmsParts(text)).toEqual({ alphabet, parts })
  })

  test('no part exceeds its capacity or ends within a character', () => {
    fc.assert(
      fc.property(anyText, text => {
        const parts = splitIntoParts(text)
        for (const { alphabet, units } of parts) {
          const [single, joined] = alphabet === 'GSM-7' ? [160, 153] : [70, 67]
          expect(units.length).toBeLessThanOrEqual(parts.length === 1 ? single : joined)
          expect(alphabet === 'GSM-7' && units.at(-1) === 0x1b).toBe(false)
          expect(alphabet === 'UCS-2' && ((units.at(-1) ?? 0) & 0xfc00) === 0xd800).toBe(false)
        }
      }),
    )
  })
})

describe('part headers', () => {
  test('an encoded header is read back as the same position', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.integer({ min: 1, max: 255 }), fc.nat(254), (reference, a, b) => {
        const position = { reference, count: Math.max(a, b + 1), number: Math.min(a, b + 1) }
        const header = encodePartHeader(position)
        expect(header[0]).toBe(header.length - 1)
        expect(parsePartHeader(Uint8Array.from(header.slice(1)))).toEqual(position)
      }),
    )
  })

  test.each([
    ['an 8-bit reference', [0, 3, 7, 2, 1], { reference: 7, count: 2, number: 1 }],
    ['a 16-bit reference', [8, 4, 1, 2, 3, 3], { reference: 258, count: 3, number: 3 }],
    ['another element in front', [5, 4, 1, 2, 3, 4, 0, 3, 7, 2, 2], { reference: 7, number: 2 }],
    ['the number 0', [0, 3, 7, 2, 0], undefined],
    ['a number above the count', [0, 3, 7, 2, 3], undefined],
    ['the count 0', [0, 3, 7, 0, 0], undefined],
    ['a wrong length', [0, 2, 7, 1], undefined],
    ['a truncated element', [0, 3, 7, 2], undefined],
    ['no elements', [], undefined],
  ])('a header with %s', (_, elements, expected) => {
    const found = parsePartHeader(Uint8Array.from(elements))
    if (expected === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject(expected)
  })
})

test('UCS-2 octets are read back as the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
      expect(decodeUcs2(Uint8Array.from(encodeUcs2(units)))).toBe(text)
    }),
  )
})

function surround(before: number, middle: string, after: number, letter = 'a'): string {
  return letter.repeat(before) + middle + letter.repeat(after)
}
