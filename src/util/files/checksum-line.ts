import { crc32 } from 'node:zlib'

/** Encodes a value as one line of a log: CRC-32 (8 hexadecimal digits), space, JSON, line feed. */
export function encodeChecksumLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${formatChecksum(json)} ${json}\n`
}

/** As {@link encodeChecksumLine}, faster for long lines: the text is converted to bytes once. */
export function encodeChecksumBytes(value: unknown): Buffer {
  const bytes = Buffer.from(`00000000 ${JSON.stringify(value)}\n`)
  bytes.write(formatChecksum(bytes.subarray(9, -1)), 'latin1')
  return bytes
}

/** Bytes of the checksum and the space before the JSON. */
export const checksumLength = 9

/** Whether a line of any log, without its line feed, has the checksum of the bytes after it. */
export function hasValidChecksum(bytes: Buffer, start = 0, end = bytes.length): boolean {
  const jsonAt = start + checksumLength
  if (end <= jsonAt || bytes[jsonAt - 1] !== 0x20) return false
  return parseChecksum(bytes, start) === crc32(bytes.subarray(jsonAt, end))
}

/** Decodes a log line without its line feed; undefined if the checksum or the JSON is invalid. */
export function decodeChecksumLine(line: Buffer): unknown {
  if (!hasValidChecksum(line)) return undefined
  try {
    return JSON.parse(line.toString('utf8', checksumLength))
  } catch {
    return undefined
  }
}

/**
 * The checksum of a log line as a number, which is faster to compare than text; -1 if it is
 * invalid.
 */
function parseChecksum(bytes: Buffer, start: number): number {
  let sum = 0
  for (let at = 0; at < 8; at += 1) {
    const digit = hexValues[bytes[start + at] as number] as number
    if (digit === -1) return -1
    sum = sum * 16 + digit
  }
  return sum
}

/** For checksums of log lines, the value of each byte as a lower-case hexadecimal digit, or -1. */
const hexValues = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte)),
)

function formatChecksum(json: string | Buffer): string {
  return formatCrc(crc32(json))
}

/** A CRC-32 as 8 hexadecimal digits. */
export function formatCrc(value: number): string {
  return value.toString(16).padStart(8, '0')
}
