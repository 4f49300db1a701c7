// The GSM 7-bit alphabets of 3GPP TS 23.038. Section numbers below are those of the standard.
//
// 1. A locking shift table has the characters of one septet each: the default alphabet, or that of
//    a language. A single shift table has those after an escape: the default alphabet's extension
//    table, or that of a language (national-tables.ts).
// 2. `countSeptets` and `encodeSeptets` look characters up by their UTF-16 code unit;
//    `decodeSeptets` looks codes up.
// 3. `packSeptets` puts eight septets into seven octets; `unpackSeptets` takes them out.

import { getLockingTable, getSingleShiftTable } from './national-tables.js'

/**
 * The tables of an SMS part: a language's code for each (section 6.2.1.2.4), or 0 for the default
 * alphabet and for its extension table.
 */
export interface ShiftTables {
  readonly locking: number
  readonly single: number
}

export const defaultTables: ShiftTables = { locking: 0, single: 0 }

const escapeCode = 0x1b
const space = 0x20
/** No GSM alphabet has a character from here on. */
const unitLimit = 0x2220

const lockingCodes: Int8Array[] = []
const singleShiftCodes: Int8Array[] = []

/** Counts the septets of a text; undefined if the tables lack one of its characters. */
export function countSeptets(text: string, tables: ShiftTables): number | undefined {
  const locking = getLockingCodes(tables.locking)
  const single = getSingleShiftCodes(tables.single)
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit >= unitLimit) return undefined
    if ((locking[unit] ?? -1) >= 0) count += 1
    else if ((single[unit] ?? -1) >= 0) count += 2
    else return undefined
  }
  return count
}

/** Returns how many septets a character that the tables have needs: 1, or 2 with an escape. */
export function countUnitSeptets(unit: number, tables: ShiftTables): 1 | 2 {
  return (getLockingCodes(tables.locking)[unit] ?? -1) >= 0 ? 1 : 2
}

/** Encodes a text whose characters the tables have, as {@link countSeptets} says. */
export function encodeSeptets(text: string, tables: ShiftTables): Uint8Array {
  const locking = getLockingCodes(tables.locking)
  const single = getSingleShiftCodes(tables.single)
  const septets = new Uint8Array(text.length * 2)
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    const code = locking[unit] ?? -1
    if (code < 0) septets[count++] = escapeCode
    septets[count++] = code < 0 ? (single[unit] ?? space) : code
  }
  return septets.subarray(0, count)
}

/**
 * Decodes GSM septets to text. After an escape, a code that the single shift table lacks means the
 * character of the locking shift table, and a second escape a space (section 6.2.1.1).
 */
export function decodeSeptets(septets: Uint8Array, tables: ShiftTables = defaultTables): string {
  const locking = getLockingTable(tables.locking)
  const single = getSingleShiftTable(tables.single)
  let text = ''
  for (let at = 0; at < septets.length; at += 1) {
    const isEscaped = septets[at] === escapeCode
    if (isEscaped) at += 1
    const code = septets[at] ?? escapeCode
    const shifted = isEscaped ? single.get(code) : undefined
    text += shifted ?? (code === escapeCode ? ' ' : (locking[code] ?? ' '))
  }
  return text
}

/** Packs GSM septets into octets after `fill` zero bits (section 6.1.2.1). */
export function packSeptets(septets: Uint8Array, fill = 0): Uint8Array {
  const octets = new Uint8Array(Math.ceil((septets.length * 7 + fill) / 8))
  let bit = fill
  for (const septet of septets) {
    const shifted = (septet & 0x7f) << (bit & 7)
    const at = bit >> 3
    octets[at] = (octets[at] ?? 0) | (shifted & 0xff)
    if (shifted > 0xff) octets[at + 1] = shifted >> 8
    bit += 7
  }
  return octets
}

/** Unpacks `count` GSM septets from octets after `fill` bits (section 6.1.2.1). */
export function unpackSeptets(octets: Uint8Array, count: number, fill = 0): Uint8Array {
  const septets = new Uint8Array(count)
  for (let index = 0; index < count; index += 1) {
    const bit = index * 7 + fill
    const at = bit >> 3
    const pair = (octets[at] ?? 0) | ((octets[at + 1] ?? 0) << 8)
    septets[index] = (pair >> (bit & 7)) & 0x7f
  }
  return septets
}

function getLockingCodes(language: number): Int8Array {
  const known = lockingCodes[language]
  if (known !== undefined) return known
  const codes = indexCodes([...getLockingTable(language)].entries())
  lockingCodes[language] = codes
  return codes
}

function getSingleShiftCodes(language: number): Int8Array {
  const known = singleShiftCodes[language]
  if (known !== undefined) return known
  const codes = indexCodes(getSingleShiftTable(language).entries())
  singleShiftCodes[language] = codes
  return codes
}

/** The code of each character by its UTF-16 code unit, or -1. */
function indexCodes(characters: Iterable<readonly [code: number, character: string]>): Int8Array {
  const codes = new Int8Array(unitLimit).fill(-1)
  for (const [code, character] of characters) {
    const isUnassigned = code === escapeCode || (character === ' ' && code !== space)
    if (!isUnassigned) codes[character.charCodeAt(0)] = code
  }
  return codes
}
