import { crc32 } from 'node:zlib'

/** Version of the format of the files; a higher one is refused. */
export const formatVersion = 1

/** First line of each file. */
export interface Header {
  readonly smsrelay: 'snapshot' | 'journal'
  readonly format: number
}

/** A value as one line: checksum (CRC-32, 8 hex digits), a space, JSON, a line feed. */
export function encodeLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${checksum(json)} ${json}\n`
}

/** The value of a line without its line feed; undefined when the checksum or the JSON is wrong. */
export function decodeLine(line: Buffer): unknown {
  if (line.length < 10 || line[8] !== 0x20) return undefined
  const json = line.subarray(9)
  if (line.toString('latin1', 0, 8) !== checksum(json)) return undefined
  try {
    return JSON.parse(json.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Whether bytes go on after a whole line, which only happens when its line feed was overwritten. */
export function goesOnAfterLine(bytes: Buffer): boolean {
  const wanted = Number.parseInt(bytes.toString('latin1', 0, 8), 16)
  let sum = 0
  let from = 9
  for (let to = from + 1; to <= bytes.length - 2; to += 1) {
    if (!closing.has(bytes[to - 1])) continue
    sum = crc32(bytes.subarray(from, to), sum)
    from = to
    if (sum === wanted) return true
  }
  return false
}

/** What the JSON of a line may end with. */
const closing = new Set<number | undefined>([0x5d, 0x7d])

function checksum(json: string | Buffer): string {
  return crc32(json).toString(16).padStart(8, '0')
}
