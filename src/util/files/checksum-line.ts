import { crc32 } from 'node:zlib'

/** A value as one line of a file: checksum (CRC-32, 8 hex digits), a space, JSON, a line feed. */
export function encodeChecksumLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${formatChecksum(json)} ${json}\n`
}

/** The bytes of {@link encodeCheckedLine}: for long lines, whose text is turned into bytes only once. */
export function encodeChecksumBytes(value: unknown): Buffer {
  const bytes = Buffer.from(`00000000 ${JSON.stringify(value)}\n`)
  bytes.write(formatChecksum(bytes.subarray(9, -1)), 'latin1')
  return bytes
}

/** The value of a line without its line feed; undefined when the checksum or the JSON is wrong. */
export function decodeChecksumLine(line: Buffer): unknown {
  if (line.length < 10 || line[8] !== 0x20) return undefined
  const json = line.subarray(9)
  if (parseChecksum(line) !== crc32(json)) return undefined
  try {
    return JSON.parse(json.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The checksum at the start of a line; -1 where there is none. A number, because a text of it takes longer to compare. */
function parseChecksum(line: Buffer): number {
  let sum = 0
  for (let at = 0; at < 8; at += 1) {
    const digit = hexValues[line[at] as number] as number
    if (digit === -1) return -1
    sum = sum * 16 + digit
  }
  return sum
}

/** The value of each byte as a hex digit; -1 where it is none. */
const hexValues = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte)),
)

function formatChecksum(json: string | Buffer): string {
  return crc32(json).toString(16).padStart(8, '0')
}
