import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countSeptets,
  decodeSeptets,
  defaultTables,
  encodeSeptets,
} from '../../../src/domain/sms/gsm-alphabet.js'
import { nationalLanguages } from '../../../src/domain/sms/national-tables.js'
import { encodePartHeader } from '../../../src/domain/sms/part-header.js'
import { countSmsParts, splitIntoParts } from '../../../src/domain/sms/sms-parts.js'

const gsm = 'GSM-7'
const ucs = 'UCS-2'

const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abc 1@£\n€[]{}|~^\\'), minLength: 1, maxLength: 400 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('a', '€', 'é', '😀'), minLength: 1, maxLength: 400 }),
)

/** Texts of characters with several code points. */
const clusteredText = fc.string({
  unit: fc.constantFrom(
    ...[
      'a',
      'ж',
      '你',
      '😀',
      '👍🏽',
      '🇩🇪',
      '👨‍👩‍👧‍👦',
      '1️⃣',
      '❤️',
      'e\u0301',
      'นำ',
      'क्षि',
      'க்ஷி',
      '각',
    ],
    ...['\u1112\u1161\u11ab', '\u0600', '\n', 'ğ', 'á', '🏴\u{e0067}\u{e0062}\u{e007f}'],
  ),
  minLength: 60,
  maxLength: 300,
})

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
    ['33 thumbs with a skin tone', '👍🏽'.repeat(33), ucs, 3],
    ['33 flags', '🇩🇪'.repeat(33), ucs, 3],
    ['67 letters with a combining mark', 'e\u0301'.repeat(67), ucs, 3],
    ['67 Devanagari syllables', 'नि'.repeat(67), ucs, 3],
    ['67 decomposed Hangul syllables', '\u1112\u1161\u11ab'.repeat(67), ucs, 4],
    ['one letter with 134 combining marks', `a${'\u0301'.repeat(134)}`, ucs, 3],
  ])('%s', (_, text, alphabet, parts) => {
    expect(countSmsParts(text)).toEqual({ alphabet, parts })
  })
})

describe('a divided text', () => {
  const options = fc.record({
    hasLongReference: fc.boolean(),
    national: fc.constantFrom([], nationalLanguages, ['hindi', 'turkish'] as const),
  })

  test('has parts of at most 140 octets that are the text when joined', () => {
    fc.assert(
      fc.property(anyText, options, (text, option) => {
        const parts = splitIntoParts(text, option)
        expect(parts.map(each => each.text).join('')).toBe(text)
        expect(countSmsParts(text, option).parts).toBe(parts.length)
        for (const part of parts) {
          const position = { reference: 1, count: parts.length, number: 1 }
          const header = encodePartHeader(position, part.tables, option.hasLongReference)
          const septets = encodeSeptets(part.text, part.tables)
          const isGsm = part.alphabet === 'GSM-7'
          const octets = isGsm ? Math.ceil((septets.length * 7) / 8) : part.text.length * 2
          expect(header.length + octets).toBeLessThanOrEqual(140)
          if (isGsm) expect(decodeSeptets(septets, part.tables)).toBe(part.text)
        }
      }),
    )
  })

  test('has no part that ends within a character that a reader sees as one', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    const list = (text: string) => [...segmenter.segment(text)].map(each => each.segment)
    fc.assert(
      fc.property(clusteredText, options, (text, option) => {
        const parts = splitIntoParts(text, option)
        if (parts[0]?.alphabet === 'GSM-7' && parts[0].tables === defaultTables) return
        expect(parts.flatMap(each => list(each.text))).toEqual(list(text))
      }),
    )
  })

  test('has a character that is longer than a part cut between code points', () => {
    const long = [`ж${'\u0301'.repeat(90)}`, `👍${'\u{e0061}'.repeat(80)}`, '👨‍👩‍👧‍👦'.repeat(9)]
    const text = long.join('b').repeat(2)
    const parts = splitIntoParts(text).map(each => each.text)
    expect(parts.join('')).toBe(text)
    for (const part of parts) expect(part.isWellFormed()).toBe(true)
  })
})

describe('national language tables', () => {
  test.each([
    ['Turkish in one part', 'İstanbul kış güneşi ğüşıöç '.repeat(3), 1],
    ['Spanish', `Su código es 123456. ${'Está válido aquí. '.repeat(6)}`, 1],
    ['Portuguese', 'A sua encomenda não está disponível até amanhã às oito. '.repeat(2), 1],
    ['Hindi', 'आपका ओटीपी 123456 है। इसे किसी के साथ साझा न करें। यह दस मिनट तक मान्य है।', 1],
    ['Tamil', 'உங்கள் குறியீடு 123456 ஆகும். இதை யாரிடமும் பகிர வேண்டாம். பத்து நிமிடம்.', 1],
    ['Urdu', 'آپ کا کوڈ 123456 ہے۔ یہ کوڈ کسی کو مت دیں۔ یہ صرف دس منٹ کے لیے درست ہے۔ شکریہ۔', 1],
  ])('send %s in fewer parts than UCS-2', (_, text, parts) => {
    const count = countSmsParts(text, { national: nationalLanguages })
    expect(count).toEqual({ alphabet: 'GSM-7', parts })
    expect(countSmsParts(text)).toEqual({ alphabet: 'UCS-2', parts: 2 })
  })

  test.each([
    ['a text that UCS-2 sends in as many parts', 'kış'],
    ['a character that no table has', `${'kış '.repeat(20)}你`],
    ['a text of the default alphabet', 'a'.repeat(161)],
  ])('are not used for %s', (_, text) => {
    expect(countSmsParts(text, { national: nationalLanguages })).toEqual(countSmsParts(text))
  })

  test('take 3 octets of the header each', () => {
    const [shift] = splitIntoParts('ğ'.repeat(71), { national: ['turkish'] })
    expect(shift?.tables).toEqual({ locking: 1, single: 0 })
    const longest = (national: readonly 'turkish'[]) => (size: number) =>
      countSmsParts('ğ'.repeat(size), { national }).parts
    expect([155, 156, 2 * 149, 2 * 149 + 1].map(longest(['turkish']))).toEqual([1, 2, 2, 3])
    expect(countSeptets('ğ', { locking: 0, single: 1 })).toBe(2)
  })
})

function surround(before: number, middle: string, after: number, letter = 'a'): string {
  return letter.repeat(before) + middle + letter.repeat(after)
}
