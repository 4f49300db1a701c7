// The GSM 7-bit alphabet of 3GPP TS 23.038. Section numbers below are those of the standard.

/**
 * GSM 7-bit default alphabet (section 6.2.1): a character's index is its code; 0x1b escapes to the
 * extension table.
 */
const basicTable =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'

/** GSM 7-bit extension table (section 6.2.1.1). */
const extensionTable: readonly (readonly [character: string, code: number])[] = [
  ['\f', 0x0a],
  ['^', 0x14],
  ['{', 0x28],
  ['}', 0x29],
  ['\\', 0x2f],
  ['[', 0x3c],
  ['~', 0x3d],
  [']', 0x3e],
  ['|', 0x40],
  ['€', 0x65],
]

const escapeCode = 0x1b

const septetsByCharacter = new Map<string, readonly number[]>([
  ...[...basicTable].map((character, code) => [character, [code]] as const),
  ...extensionTable.map(([character, code]) => [character, [escapeCode, code]] as const),
])
septetsByCharacter.delete('\u001b')

const charactersByExtensionCode = new Map(
  extensionTable.map(([character, code]) => [code, character]),
)

/** Encodes a text as GSM septets by character; undefined if the alphabet lacks a character. */
export function toSeptets(text: string): readonly (readonly number[])[] | undefined {
  const all: (readonly number[])[] = []
  for (const character of text) {
    const septets = septetsByCharacter.get(character)
    if (septets === undefined) return undefined
    all.push(septets)
  }
  return all
}

/** Decodes GSM septets to text. An unknown extension code becomes a space (section 6.2.1.1). */
export function fromSeptets(septets: readonly number[]): string {
  let text = ''
  for (let at = 0; at < septets.length; at += 1) {
    const code = septets[at] ?? 0
    if (code !== escapeCode) text += basicTable[code] ?? ' '
    else {
      at += 1
      text += charactersByExtensionCode.get(septets[at] ?? 0) ?? ' '
    }
  }
  return text
}

/** Packs GSM septets into octets after `fill` zero bits (section 6.1.2.1). */
export function packSeptets(septets: readonly number[], fill = 0): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((septets.length * 7 + fill) / 8))
  septets.forEach((septet, at) => {
    const bit = at * 7 + fill
    const shifted = (septet & 0x7f) << (bit % 8)
    const byte = bit >> 3
    bytes[byte] = (bytes[byte] ?? 0) | (shifted & 0xff)
    if (shifted > 0xff) bytes[byte + 1] = shifted >> 8
  })
  return bytes
}

/** Unpacks `count` GSM septets from octets after `fill` bits (section 6.1.2.1). */
export function unpackSeptets(bytes: Uint8Array, count: number, fill = 0): number[] {
  return Array.from({ length: count }, (_, at) => {
    const bit = at * 7 + fill
    const byte = bit >> 3
    const pair = (bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8)
    return (pair >> (bit % 8)) & 0x7f
  })
}
