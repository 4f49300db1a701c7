/** What a received text asks for: no more texts, or texts again. */
export type OptOutKeyword = 'stop' | 'start'

/** The words that are read so, in their {@link plainText} form. */
export interface OptOutKeywords {
  readonly stop: ReadonlySet<string>
  readonly start: ReadonlySet<string>
}

/** Words that stop unless told. */
export const defaultStopKeywords = [
  'STOP',
  'STOPALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
] as const

/** Words that start again unless told. */
export const defaultStartKeywords = ['START', 'UNSTOP', 'YES'] as const

/** Spaces and invisible characters, quotation marks and what opens, which may stand in front of a word. */
const before = /[\s\p{Cf}\p{Ps}\p{Pi}\p{Pf}"'`´¡¿]/u
/** Spaces and invisible characters and any punctuation, which may stand behind a word. */
const behind = /[\s\p{Cf}\p{P}`´]/u

/**
 * A text as words are compared: without letter case, forms of width, surrounding quotation marks and spaces, and final
 * punctuation, and with one space between words.
 */
export function normalizeKeyword(text: string): string {
  // To small letters first: the capital sharp s is its own capital, while the small one has SS for it.
  const small = text.normalize('NFKC').toLowerCase()
  const folded = small.toUpperCase().toLowerCase().normalize('NFKC')
  return trimPunctuation(folded).replace(/\s+/gu, ' ')
}

/** One step a character: an expression that looks for the end of a text takes a minute for 40,000 of them. */
function trimPunctuation(text: string): string {
  const letters = [...text]
  const from = letters.findIndex(letter => !before.test(letter))
  const to = letters.findLastIndex(letter => !behind.test(letter))
  return letters.slice(from === -1 ? letters.length : from, to + 1).join('')
}

/** The word that a whole text is; undefined for every other text. */
export function findKeyword(text: string, words: OptOutKeywords): OptOutKeyword | undefined {
  const plain = normalizeKeyword(text)
  if (words.stop.has(plain)) return 'stop'
  return words.start.has(plain) ? 'start' : undefined
}

/** Words as they are compared. */
export function toKeywords(stop: readonly string[], start: readonly string[]): OptOutKeywords {
  return { stop: new Set(stop.map(normalizeKeyword)), start: new Set(start.map(normalizeKeyword)) }
}
