// The tables of 3GPP TS 23.038 by the code of their language. Code 0 are the default alphabet and
// its extension table (sections 6.2.1 and 6.2.1.1); the others are the national language tables
// (section 6.2.1.2 and annex A).
//
// 1. Turkish, Spanish and Portuguese change characters of the default tables. Spanish has no
//    locking shift table of its own.
// 2. The tables of ten other scripts (national-scripts.ts) have their letters in one frame of line
//    ends, punctuation, digits and Latin letters.

import { type NationalScript, nationalScripts } from './national-scripts.js'

/** The languages with tables; a language's code is its place, from 1 (section 6.2.1.2.4). */
export const nationalLanguages = [
  ...(['turkish', 'spanish', 'portuguese', 'bengali', 'gujarati', 'hindi', 'kannada'] as const),
  ...(['malayalam', 'oriya', 'punjabi', 'tamil', 'telugu', 'urdu'] as const),
] as const

export type NationalLanguage = (typeof nationalLanguages)[number]

const digits = '0123456789'
const small = 'abcdefghijklmnopqrstuvwxyz'
const capital = small.toUpperCase()
const escapeCharacter = '\u001b'

const defaultAlphabet =
  `@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ${escapeCharacter}ÆæßÉ !"#¤%&'()*+,-./${digits}:;<=>?` +
  `¡${capital}ÄÖÑÜ§¿${small}äöñüà`

const turkishPairs = 'è€ìıØĞøğÆŞæş¡İ¿ç'
const portuguesePairs = 'èêùúìíòóÇçØÔøôÅÁåáΦªΓÇΛÀΩ∞Π^Ψ\\Σ€ΘÓΞ|ÆÂæâßÊ¤º¡ÍÄÃÖÕÑÚ¿~äãöõñ`'

/** Pairs of a character of the default alphabet and the one that its code has after an escape. */
const extensionPairs = '\n\fΛ^({)}/\\<[=~>]¡|e€'
const turkishExtension = `${extensionPairs}GĞIİSŞcçgğiısş`
const spanishExtension = `${extensionPairs}ÇçAÁIÍOÓUÚaáiíoóuú`
const portugueseExtension =
  `${spanishExtension.replace('AÁ', 'AÀ').replace('aá', 'aÂ')}` +
  'éêØÔøôÅÁåáΦΦΓΓΩΩΠΠΨΨΣΣΘΘÉÊÄÃÖÕäãöõàâ'

/** A letter of the script in the frames of its tables. */
const slot = '\0'
const lockingFrame =
  `${slot.repeat(10)}\n${slot.repeat(2)}\r${slot.repeat(13)}${escapeCharacter}${slot.repeat(4)} !` +
  `${slot.repeat(6)})(${slot.repeat(2)},${slot}.${slot}${digits}:;${slot.repeat(3)}?` +
  `${slot.repeat(33)}${small}${slot.repeat(5)}`
const singleShiftFrame =
  `@£$¥¿"¤%&'\f*+ -/<=>¡^¡_#*${slot.repeat(2)}${escapeCharacter}` +
  `${slot.repeat(12)}{}${slot.repeat(5)}\\${slot.repeat(12)}[~]${slot}|${capital}${' '.repeat(10)}€`

const lockingTables: string[] = []
const singleShiftTables: ReadonlyMap<number, string>[] = []

export function hasLockingTable(language: number): boolean {
  return nationalLanguages[language - 1] !== 'spanish'
}

/** The 128 characters of a locking shift table; a space where it has none. */
export function getLockingTable(language: number): string {
  const known = lockingTables[language]
  if (known !== undefined) return known
  const table = createLockingTable(nationalLanguages[language - 1])
  lockingTables[language] = table
  return table
}

export function getSingleShiftTable(language: number): ReadonlyMap<number, string> {
  const known = singleShiftTables[language]
  if (known !== undefined) return known
  const table = createSingleShiftTable(nationalLanguages[language - 1])
  singleShiftTables[language] = table
  return table
}

function createLockingTable(language: NationalLanguage | undefined): string {
  if (language === undefined || language === 'spanish') return defaultAlphabet
  if (language === 'turkish') return replacePairs(turkishPairs)
  if (language === 'portuguese') return replacePairs(portuguesePairs)
  return fillFrame(lockingFrame, nationalScripts[language].locking)
}

function createSingleShiftTable(
  language: NationalLanguage | undefined,
): ReadonlyMap<number, string> {
  if (language === undefined) return indexPairs(extensionPairs)
  if (language === 'turkish') return indexPairs(turkishExtension)
  if (language === 'spanish') return indexPairs(spanishExtension)
  if (language === 'portuguese') return indexPairs(portugueseExtension)
  const table = fillFrame(singleShiftFrame, nationalScripts[language].single)
  return new Map([...[...table].entries()].filter(([, character]) => !/[ \u001b]/.test(character)))
}

function replacePairs(pairs: string): string {
  const replaced = new Map(listPairs(pairs))
  return [...defaultAlphabet].map(each => replaced.get(each) ?? each).join('')
}

function indexPairs(pairs: string): ReadonlyMap<number, string> {
  return new Map(listPairs(pairs).map(([key, value]) => [defaultAlphabet.indexOf(key), value]))
}

function listPairs(pairs: string): readonly (readonly [string, string])[] {
  return Array.from({ length: pairs.length / 2 }, (_, at) => [
    pairs[2 * at] ?? '',
    pairs[2 * at + 1] ?? '',
  ])
}

function fillFrame(frame: string, letters: NationalScript[keyof NationalScript]): string {
  const all = listCharacters(letters)
  let next = 0
  return frame.replaceAll(slot, () => all[next++] ?? ' ')
}

/** Lists characters written as code points and ranges of them, such as `901-903 905`. */
function listCharacters(codePoints: string): readonly string[] {
  return codePoints.split(' ').flatMap(each => {
    const [first = 0, last = first] = each.split('-').map(digit => Number.parseInt(digit, 16))
    return Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at))
  })
}
