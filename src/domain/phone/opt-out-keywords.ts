/** What a received text asks for: no more texts, texts again, or help. */
export type OptOutKeyword = 'stop' | 'start' | 'help'

export type OptOutKeywords = Readonly<Record<OptOutKeyword, ReadonlySet<string>>>

/** Opt-out keywords: CTIA's guidelines, 47 CFR 64.1200(a)(10), and what carriers recognize. */
export const defaultStopKeywords = [
  'STOP',
  'STOPALL',
  'STOP ALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'REVOKE',
  'OPTOUT',
  'OPT OUT',
  'OPT-OUT',
  'ARRET',
  'ALTO',
  'STOPP',
] as const

export const defaultStartKeywords = ['START', 'UNSTOP', 'YES'] as const

export const defaultHelpKeywords = ['HELP', 'INFO'] as const

/**
 * Ignored in opt-out keywords: accents of Latin, Greek and Cyrillic letters, invisible characters,
 * forms of emoji.
 */
const ignored = /[\u0300-\u036f]|\p{Cf}|\p{Variation_Selector}/gu
/** Characters to ignore around an opt-out keyword: spaces, punctuation, signs used like it. */
const noise = /[\s\p{P}\p{Sm}\p{Sk}]/u

/**
 * Normalizes a received text to compare it with opt-out keywords: letter case, accents, width
 * forms, invisible characters, surrounding punctuation and runs of spaces do not matter.
 */
export function normalizeKeyword(text: string): string {
  // Lower case first: capital sharp s is its own upper case, while that of the small one is SS.
  const lower = text.normalize('NFKC').toLowerCase()
  const caseless = lower.toUpperCase().toLowerCase().normalize('NFKD').replace(ignored, '')
  return trimPunctuation(caseless.replace(/\p{Pd}/gu, '-')).replace(/\s+/gu, ' ')
}

/**
 * For opt-out keywords: a regular expression that is anchored at the end takes a minute for 40,000
 * characters.
 */
function trimPunctuation(text: string): string {
  const characters = [...text]
  const from = characters.findIndex(character => !noise.test(character))
  const to = characters.findLastIndex(character => !noise.test(character))
  return characters.slice(from === -1 ? characters.length : from, to + 1).join('')
}

export function findKeyword(text: string, words: OptOutKeywords): OptOutKeyword | undefined {
  const plain = normalizeKeyword(text)
  if (words.stop.has(plain)) return 'stop'
  if (words.start.has(plain)) return 'start'
  return words.help.has(plain) ? 'help' : undefined
}

export function toKeywords(
  stop: readonly string[],
  start: readonly string[],
  help: readonly string[] = defaultHelpKeywords,
): OptOutKeywords {
  const normalize = (words: readonly string[]) => new Set(words.map(normalizeKeyword))
  return { stop: normalize(stop), start: normalize(start), help: normalize(help) }
}
