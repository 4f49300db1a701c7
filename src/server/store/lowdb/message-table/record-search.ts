import { matchesSearch, type SearchWords } from '../../../../domain/message/search-words.js'
import { present, RecordReader } from './record-layout.js'

const ascii = /^[\0-\x7f]*$/
/** For searches in stored records, each byte's letter in lower case. */
const lowerCase = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
)

/** Searches records; most of them without decoding their strings. */
export class RecordSearch {
  readonly #words: SearchWords
  /** Part to search for in stored records; undefined if no text of ASCII can have it. */
  readonly #part: Uint8Array | undefined
  readonly #digits: Uint8Array | undefined

  constructor(words: SearchWords) {
    this.#words = words
    this.#part = ascii.test(words.part) ? Buffer.from(words.part) : undefined
    this.#digits = words.digits === undefined ? undefined : Buffer.from(words.digits)
  }

  matches(bytes: Buffer, at: number): boolean {
    const reader = new RecordReader(bytes, at)
    reader.skipNumbers()
    if (!reader.isAscii) return this.#matchesStrings(reader)
    let numberAt = reader.at
    reader.skipString()
    if (reader.has(present.number)) {
      numberAt = reader.at
      reader.skipString()
    }
    const textAt = reader.at
    reader.skipString()
    if (hasPart(bytes, textAt + 2, reader.at, this.#part)) return true
    return hasPart(bytes, numberAt + 2, textAt, this.#digits)
  }

  #matchesStrings(reader: RecordReader): boolean {
    const destination = reader.readString()
    const number = reader.has(present.number) ? reader.readString() : destination
    return matchesSearch(this.#words, { number, text: reader.readString() })
  }
}

/** Whether the recipient of a stored record has a number, which is ASCII without escapes. */
export function hasNumber(bytes: Buffer, at: number, number: Buffer): boolean {
  const reader = new RecordReader(bytes, at)
  reader.skipNumbers()
  if (reader.has(present.number)) reader.skipString()
  const start = reader.at + 2
  reader.skipString()
  if (reader.at - start !== number.length) return false
  // Numbers of one country and provider differ in their last digits.
  let last = number.length - 1
  while (last >= 0 && bytes[start + last] === number[last]) last -= 1
  return last < 0
}

/** Whether the ASCII of a stored record contains a part, which is in lower case. */
function hasPart(
  bytes: Uint8Array,
  start: number,
  end: number,
  part: Uint8Array | undefined,
): boolean {
  if (part === undefined) return false
  const first = part[0]
  const last = end - part.length
  for (let at = start; at <= last; at += 1) {
    if (first !== undefined && lowerCase[bytes[at] as number] !== first) continue
    let length = 1
    while (length < part.length && lowerCase[bytes[at + length] as number] === part[length])
      length += 1
    if (length >= part.length) return true
  }
  return false
}
