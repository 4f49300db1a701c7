import { sources } from '../../../../domain/message/message.js'
import {
  isCreatedWithin,
  type MessageCriteria,
} from '../../../../domain/message/message-criteria.js'
import { matchesSearch, type SearchWords } from '../../../../domain/message/search-words.js'
import { present, RecordReader, readCreatedAt, readSource } from './record-layout.js'

const ascii = /^[\0-\x7f]*$/
const lowerCase = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
)

/**
 * Creates a function that says whether a stored record meets criteria, apart from the phone and the
 * reason: only the decoded message tells those.
 */
export function createRecordMatcher(
  criteria: MessageCriteria,
): (bytes: Buffer, at: number) => boolean {
  const { words, number, source } = criteria
  const sourceCode = source === undefined ? undefined : sources.indexOf(source)
  const search = words && new RecordSearch(words)
  const numberBytes = number === undefined ? undefined : Buffer.from(number)
  const hasTimes = (criteria.since ?? criteria.until) !== undefined
  return (bytes, at) => {
    if (hasTimes && !isCreatedWithin(criteria, readCreatedAt(bytes, at))) return false
    if (sourceCode !== undefined && readSource(bytes, at) !== sourceCode) return false
    if (numberBytes !== undefined && !hasNumber(bytes, at, numberBytes)) return false
    return search === undefined || search.matches(bytes, at)
  }
}

/** Searches records; most of them without decoding their strings. */
class RecordSearch {
  readonly #words: SearchWords
  readonly #part: BytePattern | undefined
  readonly #digits: BytePattern | undefined

  constructor(words: SearchWords) {
    this.#words = words
    this.#part = ascii.test(words.part) ? new BytePattern(words.part) : undefined
    this.#digits = words.digits === undefined ? undefined : new BytePattern(words.digits)
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
    if (this.#part?.isIn(bytes, textAt + 2, reader.at) === true) return true
    return this.#digits?.isIn(bytes, numberAt + 2, textAt) === true
  }

  #matchesStrings(reader: RecordReader): boolean {
    const destination = reader.readString()
    const number = reader.has(present.number) ? reader.readString() : destination
    return matchesSearch(this.#words, { number, text: reader.readString() })
  }
}

/**
 * ASCII in lower case that is searched for in stored records, in any letter case: from its end, so
 * that most bytes are skipped (Horspool, Practical fast searching in strings, 1980).
 */
class BytePattern {
  readonly #bytes: Uint8Array
  /** By the byte of a record under the last one of the pattern: how far the pattern can move. */
  readonly #skips: Uint8Array

  constructor(text: string) {
    this.#bytes = Buffer.from(text)
    const last = this.#bytes.length - 1
    const end = this.#bytes.subarray(0, Math.max(last, 0))
    this.#skips = lowerCase.map(byte => {
      const place = end.lastIndexOf(byte)
      return Math.min(place === -1 ? last + 1 : last - place, 0xff)
    })
  }

  isIn(bytes: Uint8Array, start: number, end: number): boolean {
    const last = this.#bytes.length - 1
    for (let at = start + last; at < end; at += this.#skips[bytes[at] as number] as number) {
      let back = 0
      while (back <= last && lowerCase[bytes[at - back] as number] === this.#bytes[last - back])
        back += 1
      if (back > last) return true
    }
    return false
  }
}

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

/** The hash of a number, of two bytes: few of an account's numbers have the same one. */
export function hashNumber(number: string): number {
  let hash = 0
  for (let at = 0; at < number.length; at += 1) hash = addToHash(hash, number.charCodeAt(at))
  return foldHash(hash)
}

export function readNumberHash(bytes: Buffer, at: number): number {
  const reader = new RecordReader(bytes, at)
  reader.skipNumbers()
  if (reader.has(present.number)) reader.skipString()
  if (!reader.isAscii) return hashNumber(reader.readString())
  const start = reader.at + 2
  reader.skipString()
  let hash = 0
  for (let each = start; each < reader.at; each += 1) hash = addToHash(hash, bytes[each] as number)
  return foldHash(hash)
}

function addToHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

function foldHash(hash: number): number {
  return (hash ^ (hash >>> 16)) & 0xffff
}
