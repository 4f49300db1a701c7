export type OptOutKeyword = 'stop' | 'start'

/** The opt-out keywords (STOP, START) in the form of {@link normalizeKeyword}. */
export interface OptOutKeywords {
  readonly stop: ReadonlySet<string>
  readonly start: ReadonlySet<string>
}

export const defaultStopKeywords = [
  'STOP',
  'STOPALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
] as const

export const defaultStartKeywords = ['START', 'UNSTOP', 'YES'] as const

/**
 * Characters to ignore before an opt-out keyword: spaces, invisible ones, quotes, opening brackets.
 */
const leadingNoise = /[\s\p{Cf}\p{Ps}\p{Pi}\p{Pf}"'`´¡¿]/u
/** Characters to ignore after an opt-out keyword: spaces, invisible ones, punctuation. */
const trailingNoise = /[\s\p{Cf}\p{P}`´]/u

/**
 * Normalizes a received text to compare it with opt-out keywords: letter case, width forms,
 * surrounding quotes and spaces, final punctuation, and runs of spaces do not matter.
 */
export function normalizeKeyword(text: string): string {
  // Lower case first: capital sharp s is its own upper case, while that of the small one is SS.
  const lower = text.normalize('NFKC').toLowerCase()
  const caseless = lower.toUpperCase().toLowerCase().normalize('NFKC')
  return trimPunctuation(caseless).replace(/\s+/gu, ' ')
}

/** A regular expression that is anchored at the end takes a minute for 40,000 characters. */
function trimPunctuation(text: string): string {
  const characters = [...text]
  const from = characters.findIndex(character => !leadingNoise.test(character))
  const to = characters.findLastIndex(character => !trailingNoise.test(character))
  return characters.slice(from === -1 ? characters.length : from, to + 1).join('')
}

/** Finds the opt-out keyword of a received text, if the whole text is one. */
export function findKeyword(text: string, words: OptOutKeywords): OptOutKeyword | undefined {
  const plain = normalizeKeyword(text)
  if (words.stop.has(plain)) return 'stop'
  return words.start.has(plain) ? 'start' : undefined
}

export function toKeywords(stop: readonly string[], start: readonly string[]): OptOutKeywords {
  return { stop: new Set(stop.map(normalizeKeyword)), start: new Set(start.map(normalizeKeyword)) }
}
