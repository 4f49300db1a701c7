export type UuidWords = Int32Array

const hyphen = 0x2d
const length = 36
const digits = '0123456789abcdef'
/**
 * For ids of the message table: the value of each character code as a lower-case hexadecimal digit,
 * or -1.
 */
const values = Int32Array.from({ length: 128 }, (_, code) =>
  digits.indexOf(String.fromCharCode(code)),
)
const codes = Uint8Array.from(digits, digit => digit.charCodeAt(0))
const formatted = Buffer.alloc(length, hyphen)
/** Index of the first character of each half of a word, in an id of the message table. */
const halves = [0, 4, 9, 14, 19, 24, 28, 32] as const

export function createUuidWords(): UuidWords {
  return new Int32Array(4)
}

/** Parses a UUID in lower case into `words`; false, with any words, if the text is not one. */
export function parseUuid(text: string, words: UuidWords): boolean {
  if (text.length !== length) return false
  for (const at of [8, 13, 18, 23]) if (text.charCodeAt(at) !== hyphen) return false
  let invalid = 0
  for (let word = 0; word < 4; word += 1) {
    const high = parseHalf(text, halves[2 * word] as number)
    const low = parseHalf(text, halves[2 * word + 1] as number)
    invalid |= high | low
    words[word] = (high << 16) | low
  }
  return invalid >= 0
}

/** As {@link parseUuid}, for the 36 bytes of ASCII in a line of the store. */
export function parseUuidBytes(bytes: Uint8Array, start: number, words: UuidWords): boolean {
  for (const at of [8, 13, 18, 23]) if (bytes[start + at] !== hyphen) return false
  let invalid = 0
  for (let word = 0; word < 4; word += 1) {
    const high = parseHalfBytes(bytes, start + (halves[2 * word] as number))
    const low = parseHalfBytes(bytes, start + (halves[2 * word + 1] as number))
    invalid |= high | low
    words[word] = (high << 16) | low
  }
  return invalid >= 0
}

function parseHalfBytes(bytes: Uint8Array, at: number): number {
  const a = values[bytes[at] as number] ?? -1
  const b = values[bytes[at + 1] as number] ?? -1
  const c = values[bytes[at + 2] as number] ?? -1
  const d = values[bytes[at + 3] as number] ?? -1
  return (a | b | c | d) < 0 ? -1 : (a << 12) | (b << 8) | (c << 4) | d
}

/** For ids of the message table: four hexadecimal digits as a number; negative if they are not. */
function parseHalf(text: string, at: number): number {
  const a = values[text.charCodeAt(at)] ?? -1
  const b = values[text.charCodeAt(at + 1)] ?? -1
  const c = values[text.charCodeAt(at + 2)] ?? -1
  const d = values[text.charCodeAt(at + 3)] ?? -1
  return (a | b | c | d) < 0 ? -1 : (a << 12) | (b << 8) | (c << 4) | d
}

export function formatUuid(words: UuidWords): string {
  for (let half = 0; half < 8; half += 1) {
    const value = ((words[half >> 1] as number) >> (half % 2 === 0 ? 16 : 0)) & 0xffff
    const at = halves[half] as number
    formatted[at] = codes[value >> 12] as number
    formatted[at + 1] = codes[(value >> 8) & 15] as number
    formatted[at + 2] = codes[(value >> 4) & 15] as number
    formatted[at + 3] = codes[value & 15] as number
  }
  return formatted.toString('latin1', 0, length)
}

/** A hash of a message table's id: 32 bits that are not 0. */
export function hashUuid(words: UuidWords): number {
  let hash = Math.imul(words[0] as number, 0x9e3779b1) ^ Math.imul(words[1] as number, 0x85ebca6b)
  hash ^= Math.imul(words[2] as number, 0xc2b2ae35) ^ Math.imul(words[3] as number, 0x27d4eb2f)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0 || 1
}
