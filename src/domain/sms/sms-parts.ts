// How a text is sent as SMS: its alphabet and its parts.
//
// 1. `splitIntoParts` chooses the alphabet: GSM-7 if the default tables have every character
//    (gsm-alphabet.ts), otherwise UCS-2 (3GPP TS 23.038). If it may use national language tables
//    (national-tables.ts), it does so where that takes fewer parts than UCS-2.
// 2. It divides the text into parts of at most 140 octets with their headers (part-header.ts). No
//    part ends within a character that a reader sees as one (part-ends.ts).
// 3. A driver encodes each part: its header, and its text with `encodeSeptets` or `encodeUcs2`.
//    `parsePartHeader` and `parseShiftTables` read the header of a received part.
//
// The server, the phone and the CLI all count parts here.

import { countSeptets, defaultTables, type ShiftTables } from './gsm-alphabet.js'
import { hasLockingTable, type NationalLanguage, nationalLanguages } from './national-tables.js'
import { findGsmEnds, findUcs2Ends } from './part-ends.js'
import { countHeaderOctets } from './part-header.js'

/** GSM-7 is a GSM 7-bit alphabet; UCS-2 is used with surrogate pairs, as UTF-16. */
export type SmsAlphabet = 'GSM-7' | 'UCS-2'

export interface SmsPart {
  readonly alphabet: SmsAlphabet
  readonly text: string
  readonly tables: ShiftTables
}

export interface SmsPartCount {
  readonly alphabet: SmsAlphabet
  readonly parts: number
}

export interface SplitOptions {
  /** Alphabet of the SMS parts. @default GSM-7 if it has every character */
  readonly alphabet?: 'UCS-2' | undefined
  readonly hasLongReference?: boolean
  readonly national?: readonly NationalLanguage[]
}

interface Division {
  readonly alphabet: SmsAlphabet
  readonly tables: ShiftTables
  readonly ends: readonly number[]
}

/** Octets of the text of one SMS with its header (3GPP TS 23.040 section 9.2.3.16). */
const maxOctets = 140

export function splitIntoParts(text: string, options: SplitOptions = {}): readonly SmsPart[] {
  const { alphabet, tables, ends } = divideText(text, options)
  return ends.map((end, index) => ({
    alphabet,
    text: text.slice(ends[index - 1] ?? 0, end),
    tables,
  }))
}

export function countSmsParts(text: string, options: SplitOptions = {}): SmsPartCount {
  const { alphabet, ends } = divideText(text, options)
  return { alphabet, parts: ends.length }
}

function divideText(text: string, options: SplitOptions): Division {
  if (options.alphabet === 'UCS-2') return divideUcs2(text, options)
  const septets = countSeptets(text, defaultTables)
  if (septets !== undefined) return divideGsm(text, septets, defaultTables, options)
  const ucs2 = divideUcs2(text, options)
  const { national = [] } = options
  if (national.length === 0 || ucs2.ends.length === 1) return ucs2
  return findShortest(ucs2, divideWithNationalTables(text, national, options))
}

function divideUcs2(text: string, { hasLongReference = false }: SplitOptions): Division {
  const single = maxOctets / 2
  const joined = (maxOctets - countHeaderOctets(true, defaultTables, hasLongReference)) >> 1
  const ends = text.length <= single ? [text.length] : findUcs2Ends(text, joined)
  return { alphabet: 'UCS-2', tables: defaultTables, ends }
}

function divideGsm(
  text: string,
  septets: number,
  tables: ShiftTables,
  { hasLongReference = false }: SplitOptions,
): Division {
  const getCapacity = (isMultipart: boolean): number => {
    const octets = maxOctets - countHeaderOctets(isMultipart, tables, hasLongReference)
    return Math.floor((octets * 8) / 7)
  }
  const isSingle = septets <= getCapacity(false)
  const ends = isSingle ? [text.length] : findGsmEnds(text, getCapacity(true), tables)
  return { alphabet: 'GSM-7', tables, ends }
}

function divideWithNationalTables(
  text: string,
  national: readonly NationalLanguage[],
  options: SplitOptions,
): readonly Division[] {
  const languages = [0, ...national.map(each => nationalLanguages.indexOf(each) + 1)]
  const pairs = languages
    .filter(language => hasLockingTable(language))
    .flatMap(locking => languages.map(single => ({ locking, single })))
  return pairs
    .map(tables => ({ tables, septets: countSeptets(text, tables) ?? 0 }))
    .filter(({ septets }) => septets > 0)
    .sort((a, b) => a.septets - b.septets)
    .map(({ tables, septets }) => divideGsm(text, septets, tables, options))
}

function findShortest(first: Division, others: readonly Division[]): Division {
  return others.reduce((best, each) => (each.ends.length < best.ends.length ? each : best), first)
}
