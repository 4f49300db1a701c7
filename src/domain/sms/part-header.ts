// The user data header of an SMS part (3GPP TS 23.040 section 9.2.3.24). An element has an
// identifier, a length and its octets; the length of all elements comes first.
//
// 1. A part of several has an element with its position, and a reference of 8 or 16 bits.
// 2. A part in national language tables has an element for each table.
// 3. An SMS for an application has an element with its port.

import { defaultTables, type ShiftTables } from './gsm-alphabet.js'
import { nationalLanguages } from './national-tables.js'

export interface PartPosition {
  readonly reference: number
  readonly count: number
  readonly number: number
}

const identifiers = {
  ...{ position: 0x00, longPosition: 0x08, single: 0x24, locking: 0x25 },
  ...{ waiting: 0x01, shortPort: 0x04, longPort: 0x05, voiceMail: 0x23 },
} as const

/** Encodes the header of an SMS part, with its length octet; empty if the part needs none. */
export function encodePartHeader(
  { reference, count, number }: PartPosition,
  tables: ShiftTables,
  hasLongReference = false,
): Uint8Array {
  const elements: number[] = []
  const { position, longPosition, single, locking } = identifiers
  if (count > 1 && hasLongReference) elements.push(longPosition, 4, reference >> 8, reference)
  else if (count > 1) elements.push(position, 3, reference)
  if (count > 1) elements.push(count, number)
  if (tables.single > 0) elements.push(single, 1, tables.single)
  if (tables.locking > 0) elements.push(locking, 1, tables.locking)
  return elements.length === 0 ? new Uint8Array() : Uint8Array.from([elements.length, ...elements])
}

export function countHeaderOctets(
  isMultipart: boolean,
  { locking, single }: ShiftTables,
  hasLongReference: boolean,
): number {
  const octets =
    (isMultipart ? (hasLongReference ? 6 : 5) : 0) + (single > 0 ? 3 : 0) + (locking > 0 ? 3 : 0)
  return octets === 0 ? 0 : octets + 1
}

/** Bits between a header and the first septet after it (3GPP TS 23.040 section 9.2.3.24). */
export function countFillBits(headerLength: number): number {
  return (7 - ((headerLength * 8) % 7)) % 7
}

/**
 * Finds an SMS part's position in the elements of a user data header (without its length octet). An
 * element with an impossible count or number is ignored, as 3GPP TS 23.040 requires.
 */
export function parsePartHeader(elements: Uint8Array): PartPosition | undefined {
  for (const { id, octets } of listElements(elements)) {
    const isShort = id === identifiers.position && octets.length === 3
    const isLong = id === identifiers.longPosition && octets.length === 4
    if (!isShort && !isLong) continue
    const [high = 0, low = 0, count = 0, number = 0] = isShort ? [0, ...octets] : octets
    if (number >= 1 && number <= count) return { reference: high * 256 + low, count, number }
  }
  return undefined
}

/**
 * The application port that an SMS is for (3GPP TS 23.040 sections 9.2.3.24.3 and 9.2.3.24.4).
 * Reserved ports are ignored, as the standard requires.
 */
export function parsePort(elements: Uint8Array): number | undefined {
  for (const { id, octets } of listElements(elements)) {
    const [high = 0, low = 0] = octets
    if (id === identifiers.longPort && octets.length === 4 && isPort(high * 256 + low)) {
      return high * 256 + low
    }
    if (id === identifiers.shortPort && octets.length === 2 && high >= 240) return high
  }
  return undefined
}

export function isPort(port: number): boolean {
  return port > 0 && port <= 49_151
}

/** Whether a header says that messages wait, such as voice mail (sections 9.2.3.24.2 and .13). */
export function hasWaitingElement(elements: Uint8Array): boolean {
  const { waiting, voiceMail } = identifiers
  return [...listElements(elements)].some(({ id }) => id === waiting || id === voiceMail)
}

export function parseShiftTables(elements: Uint8Array): ShiftTables {
  const tables = { ...defaultTables }
  for (const { id, octets } of listElements(elements)) {
    const [language = 0] = octets
    if (octets.length !== 1 || language > nationalLanguages.length) continue
    if (id === identifiers.single) tables.single = language
    if (id === identifiers.locking) tables.locking = language
  }
  return tables
}

function* listElements(elements: Uint8Array): Generator<{ id: number; octets: Uint8Array }> {
  for (let at = 0; at + 1 < elements.length; ) {
    const [id = 0, length = 0] = elements.subarray(at, at + 2)
    const octets = elements.subarray(at + 2, at + 2 + length)
    if (octets.length === length) yield { id, octets }
    at += 2 + length
  }
}
