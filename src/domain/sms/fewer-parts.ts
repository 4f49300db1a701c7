import { countSeptets, defaultTables } from './gsm-alphabet.js'

/** Typographic characters, and the letters of the GSM alphabet that stand for them. */
const replacements: readonly (readonly [pattern: RegExp, letters: string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032\u2039\u203a`\u00b4]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/\u2026/g, '...'],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
  // A soft hyphen, and characters without a width.
  [/[\u00ad\u200b\u2060\ufeff]/g, ''],
]

/**
 * The text with letters of the GSM alphabet for typographic quotes, dashes, ellipses and spaces, if
 * it then has no other alphabet; otherwise the text as it is.
 */
export function useGsmLetters(text: string): string {
  if (countSeptets(text, defaultTables) !== undefined) return text
  const plain = replacements.reduce((all, [each, letters]) => all.replace(each, letters), text)
  return plain === '' || countSeptets(plain, defaultTables) === undefined ? text : plain
}
