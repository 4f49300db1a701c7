import { TextDecoder } from 'node:util'
import iconv from 'iconv-lite'

export interface CharsetDecoder {
  /** The charset's name in the Encoding Standard, in lower case. */
  readonly name: string
  /** Throws a `TypeError` for invalid bytes. `end` says that no more bytes follow. */
  readonly decode: (bytes: Uint8Array, end: boolean) => string
}

/**
 * Creates a decoder that rejects invalid bytes, for a label of the Encoding Standard; `iso-8859-1`
 * and `us-ascii` are labels of windows-1252 there. Throws a `RangeError` for an unknown label.
 */
export function createCharsetDecoder(label: string): CharsetDecoder {
  const decoder = new TextDecoder(label, { fatal: true })
  const name = decoder.encoding
  if (name === 'windows-1252') return { name, decode: decodeWindows1252 }
  return { name, decode: (bytes, end) => decoder.decode(bytes, { stream: !end }) }
}

/** Node 20's TextDecoder decodes windows-1252 as Latin-1, where €, “ and ” are control codes. */
function decodeWindows1252(bytes: Uint8Array): string {
  const text = iconv.decode(bytes, 'windows-1252')
  if (text.includes('\ufffd')) throw new TypeError('These bytes are not windows-1252.')
  return text
}

/**
 * Replaces in any text the control characters from U+0080 to U+009F by the characters of
 * windows-1252 with these codes. A text has them only if its bytes were decoded as Latin-1.
 */
export function restoreWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]+/g, found =>
    iconv.decode(Buffer.from(found, 'latin1'), 'windows-1252').replaceAll('\ufffd', ''),
  )
}
