// Bytes compared, searched and copied four at once, which takes a third of the time of one by one.

/**
 * A fixed text of at least four bytes in stored lines, as the 32-bit words that it begins and ends
 * with.
 */
export interface BytePattern {
  readonly length: number
  readonly words: Int32Array
}

export function createPattern(text: string): BytePattern {
  const bytes = Buffer.from(text)
  const count = Math.ceil(bytes.length / 4)
  const words = Int32Array.from({ length: count }, (_, word) =>
    bytes.readInt32LE(Math.min(4 * word, bytes.length - 4)),
  )
  return { length: bytes.length, words }
}

/** Whether the bytes of a stored line before `end` begin with a pattern at an offset. */
export function hasPattern(
  view: DataView,
  at: number,
  end: number,
  { length, words }: BytePattern,
): boolean {
  if (at < 0 || at + length > end) return false
  const last = words.length - 1
  for (let word = 0; word < last; word += 1) {
    if (view.getInt32(at + 4 * word, true) !== words[word]) return false
  }
  return view.getInt32(at + length - 4, true) === words[last]
}

export function areEqual(view: DataView, some: number, others: number, length: number): boolean {
  let at = 0
  for (; at + 4 <= length; at += 4) {
    if (view.getInt32(some + at, true) !== view.getInt32(others + at, true)) return false
  }
  for (; at < length; at += 1) {
    if (view.getUint8(some + at) !== view.getUint8(others + at)) return false
  }
  return true
}

/** Copies bytes of the message table, and up to three more than `length`. */
export function copyWords(
  from: DataView,
  start: number,
  to: DataView,
  at: number,
  length: number,
): void {
  for (let done = 0; done < length; done += 4) {
    to.setInt32(at + done, from.getInt32(start + done, true), true)
  }
}

/** The high bits of the bytes of a word that are zero; higher ones may be set, too. */
function findZeroBytes(word: number): number {
  return (word - 0x01010101) & ~word & 0x80808080
}

/** Whether a word has a quotation mark, a backslash or a byte that is not ASCII. */
export function hasSpecialByte(word: number): boolean {
  const quotes = findZeroBytes(word ^ 0x22222222)
  const backslashes = findZeroBytes(word ^ 0x5c5c5c5c)
  return (quotes | backslashes | (word & 0x80808080)) !== 0
}
