import type { Message } from './message.js'

export interface SearchWords {
  /** Part of a message's text to search for, in lower case. */
  readonly part: string
  /** Digits of a number to search for; undefined if the words are not at least three digits. */
  readonly digits: string | undefined
}

const minDigits = 3
/** Characters that no letter has in lower case. */
const isCaseless = /^[ -@[-`{-~]*$/

export function parseSearchWords(words: string): SearchWords {
  const part = words.trim().toLowerCase()
  const digits = /^[+\d\s().\-/]+$/.test(part) ? part.replace(/\D/g, '') : ''
  return { part, digits: digits.length < minDigits ? undefined : digits }
}

/**
 * Whether a message matches the search: its text has the part, in any letter case, or its number
 * has the digits.
 */
export function matchesSearch(
  { part, digits }: SearchWords,
  { text, number }: Pick<Message, 'text' | 'number'>,
): boolean {
  if (digits !== undefined && number.includes(digits)) return true
  // Most texts are searched for digits or words that they do not have: case costs the most.
  return (isCaseless.test(part) ? text : text.toLowerCase()).includes(part)
}
