// How a text is sent as SMS: its alphabet, its parts, and the header that joins the parts.
//
// 1. `splitIntoParts` chooses the alphabet: GSM-7 if it has every character, otherwise UCS-2
//    (3GPP TS 23.038, table in gsm-alphabet.ts).
// 2. It divides the text into parts of at most 140 octets. A part of several loses 6 octets to its
//    header. No part ends within an escape sequence or a surrogate pair.
// 3. A driver puts the result of `encodePartHeader` before each part of several; `parsePartHeader`
//    finds the position of a received part (3GPP TS 23.040 section 9.2.3.24.1).
//
// The server, the phone and the CLI all count parts here.

import { toSeptets } from './gsm-alphabet.js'

/** GSM-7 is the GSM 7-bit default alphabet; UCS-2 is used with surrogate pairs, as UTF-16. */
export type SmsAlphabet = 'GSM-7' | 'UCS-2'

/** One SMS part of a text; `units` are septets in GSM-7 and UTF-16 code units in UCS-2. */
export interface SmsPart {
  readonly alphabet: SmsAlphabet
  readonly units: readonly number[]
}

export interface SmsPartCount {
  readonly alphabet: SmsAlphabet
  readonly parts: number
}

export interface PartPosition {
  /** Reference of a multipart SMS, the same for all its parts, 0 to 65535. */
  readonly reference: number
  readonly count: number
  /** Number of the SMS part, from 1 to `count`. */
  readonly number: number
}

export interface SplitOptions {
  /** @default GSM-7 if it has every character */
  readonly alphabet?: 'UCS-2' | undefined
  /** Whether the header of each part has a reference of 16 bits. @default false */
  readonly hasLongReference?: boolean
}

/** Units of a text in one SMS part, and in each part of a multipart SMS with a reference. */
const capacity = {
  'GSM-7': { single: 160, joined: 153, joinedLong: 152 },
  'UCS-2': { single: 70, joined: 67, joinedLong: 66 },
} as const

export function splitIntoParts(text: string, options: SplitOptions = {}): readonly SmsPart[] {
  const septets = options.alphabet === 'UCS-2' ? undefined : toSeptets(text)
  const alphabet = septets === undefined ? 'UCS-2' : 'GSM-7'
  const characters = septets ?? [...text].map(toCodeUnits)
  const { single, joined, joinedLong } = capacity[alphabet]
  const total = characters.reduce((sum, units) => sum + units.length, 0)
  const part = options.hasLongReference === true ? joinedLong : joined
  const parts = divideUnits(characters, total <= single ? single : part)
  return parts.map(units => ({ alphabet, units }))
}

export function countSmsParts(text: string): SmsPartCount {
  const parts = splitIntoParts(text)
  return { alphabet: parts[0]?.alphabet ?? 'GSM-7', parts: parts.length }
}

/** Encodes the user data header, with its length octet, of one SMS part (8-bit reference). */
export function encodePartHeader({ reference, count, number }: PartPosition): readonly number[] {
  return [5, 0, 3, reference & 0xff, count, number]
}

/** As {@link encodePartHeader}, with a reference of 16 bits. */
export function encodeLongPartHeader(position: PartPosition): readonly number[] {
  const { reference, count, number } = position
  return [6, 8, 4, (reference >> 8) & 0xff, reference & 0xff, count, number]
}

/**
 * Finds an SMS part's position in the elements of a user data header (without its length octet). An
 * element with an impossible count or number is ignored, as 3GPP TS 23.040 requires.
 */
export function parsePartHeader(elements: Uint8Array): PartPosition | undefined {
  for (let at = 0; at + 1 < elements.length; at += 2 + (elements[at + 1] ?? 0)) {
    const [id, length] = elements.subarray(at, at + 2)
    const isShort = id === 0 && length === 3
    const isLong = id === 8 && length === 4
    if (!isShort && !isLong) continue
    const [high = 0, low = 0, count = 0, number = 0] = isShort
      ? [0, ...elements.subarray(at + 2, at + 5)]
      : elements.subarray(at + 2, at + 6)
    if (number >= 1 && number <= count) return { reference: high * 256 + low, count, number }
  }
  return undefined
}

/** Encodes UCS-2 text: UTF-16 code units as octets, high octet first. */
export function encodeUcs2(units: readonly number[]): number[] {
  return units.flatMap(unit => [unit >> 8, unit & 0xff])
}

/** Decodes UCS-2 text from octets, high octet first; ignores an odd last octet. */
export function decodeUcs2(octets: Uint8Array): string {
  const even = octets.subarray(0, octets.length & ~1)
  return Buffer.from(even).swap16().toString('utf16le')
}

function toCodeUnits(character: string): number[] {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
}

function divideUnits(characters: readonly (readonly number[])[], max: number): number[][] {
  let part: number[] = []
  const parts = [part]
  for (const units of characters) {
    if (part.length + units.length > max) {
      part = []
      parts.push(part)
    }
    part.push(...units)
  }
  return parts
}
