import { toSeptets } from './gsm-alphabet.js'

/** One part of a text as it goes over the air: septets of the default alphabet, or UTF-16 code units. */
export interface SmsPart {
  readonly alphabet: 'GSM-7' | 'UCS-2'
  readonly units: readonly number[]
}

/** Units a part may have, alone and with a header that says which part it is (3GPP TS 23.040 section 9.2.3.24.1). */
const partCapacity = {
  'GSM-7': { alone: 160, joined: 153 },
  'UCS-2': { alone: 70, joined: 67 },
} as const

/**
 * Divides a text into parts, one when it fits; no escape sequence and no surrogate pair is cut in two. A text with
 * any character that is not in the default alphabet is UCS-2 as a whole.
 */
export function splitIntoParts(text: string): readonly SmsPart[] {
  const septets = toSeptets(text)
  const alphabet = septets === undefined ? 'UCS-2' : 'GSM-7'
  const characters = septets ?? [...text].map(toCodeUnits)
  const { alone, joined } = partCapacity[alphabet]
  const total = characters.reduce((sum, units) => sum + units.length, 0)
  return divideUnits(characters, total <= alone ? alone : joined).map(units => ({
    alphabet,
    units,
  }))
}

function toCodeUnits(character: string): number[] {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
}

function divideUnits(characters: readonly (readonly number[])[], most: number): number[][] {
  const parts: number[][] = [[]]
  for (const units of characters) {
    let last = parts.at(-1) ?? []
    if (last.length + units.length > most) {
      last = []
      parts.push(last)
    }
    last.push(...units)
  }
  return parts
}
