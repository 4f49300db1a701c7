import { crc32 } from 'node:zlib'

export {
  decodeChecksumLine as decodeLine,
  encodeChecksumBytes as encodeBytes,
  encodeChecksumLine as encodeLine,
} from '../../../../util/files/checksum-line.js'

/** Version of the format of the files; a higher one is refused. */
export const formatVersion = 1

/** First line of each file. */
export interface Header {
  readonly smsrelay: 'snapshot' | 'journal'
  readonly format: number
}

/** Last line of a snapshot. */
export interface Trailer {
  /** Number of lines between header and trailer. */
  readonly lines: number
}

/** Whether bytes go on after a whole line, which only happens when its line feed was overwritten. */
export function startsWithWholeLine(bytes: Buffer): boolean {
  const wanted = Number.parseInt(bytes.toString('latin1', 0, 8), 16)
  let sum = 0
  let from = 9
  for (let to = from + 1; to <= bytes.length - 2; to += 1) {
    if (!closingBrackets.has(bytes[to - 1])) continue
    sum = crc32(bytes.subarray(from, to), sum)
    from = to
    if (sum === wanted) return true
  }
  return false
}

/** What the JSON of a line may end with. */
const closingBrackets = new Set<number | undefined>([0x5d, 0x7d])
