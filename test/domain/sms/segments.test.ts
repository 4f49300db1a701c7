import { describe, expect, test } from 'vitest'
import { countSmsParts } from '../../../src/domain/sms/segments.js'

const gsm = 'GSM-7'
const ucs = 'UCS-2'

describe('a text', () => {
  test.each<[string, string, string, number]>([
    ['nothing', '', gsm, 1],
    ['one letter', 'a', gsm, 1],
    ['160 letters', 'a'.repeat(160), gsm, 1],
    ['161 letters', 'a'.repeat(161), gsm, 2],
    ['306 letters', 'a'.repeat(306), gsm, 2],
    ['307 letters', 'a'.repeat(307), gsm, 3],
    ['letters of the GSM alphabet', '@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¡ÄÖÑÜ§¿äöñüà', gsm, 1],
    ['line ends', 'a\r\nb', gsm, 1],
    ['the extension table', '^{}\\[~]|€\f', gsm, 1],
    ['80 extended characters', '€'.repeat(80), gsm, 1],
    ['81 extended characters', '€'.repeat(81), gsm, 2],
    ['an extended character that a part cannot hold whole', filled(152, '€', 152), gsm, 3],
    ['one letter outside of the alphabet', 'ж', ucs, 1],
    ['70 letters', 'ж'.repeat(70), ucs, 1],
    ['71 letters', 'ж'.repeat(71), ucs, 2],
    ['134 letters', 'ж'.repeat(134), ucs, 2],
    ['135 letters', 'ж'.repeat(135), ucs, 3],
    ['160 letters and one of them outside', `${'a'.repeat(159)}ç`, ucs, 3],
    ['an emoji', '😀', ucs, 1],
    ['35 emojis', '😀'.repeat(35), ucs, 1],
    ['36 emojis', '😀'.repeat(36), ucs, 2],
    ['an emoji that a part cannot hold whole', filled(66, '😀', 66, 'ж'), ucs, 3],
    ['a NUL', '\u0000', ucs, 1],
    ['a lone surrogate', '\ud800', ucs, 1],
  ])('of %s', (_, text, alphabet, parts) => {
    expect(countSmsParts(text)).toEqual({ alphabet, parts })
  })
})

function filled(before: number, middle: string, after: number, letter = 'a'): string {
  return letter.repeat(before) + middle + letter.repeat(after)
}
