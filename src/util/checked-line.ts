import { crc32 } from 'node:zlib'

/** A value as one line of a file: checksum (CRC-32, 8 hex digits), a space, JSON, a line feed. */
export function encodeCheckedLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${checksum(json)} ${json}\n`
}

/** The bytes of {@link encodeCheckedLine}: for long lines, whose text is turned into bytes only once. */
export function encodeCheckedBytes(value: unknown): Buffer {
  const bytes = Buffer.from(`00000000 ${JSON.stringify(value)}\n`)
  bytes.write(checksum(bytes.subarray(9, -1)), 'latin1')
  return bytes
}

/** The value of a line without its line feed; undefined when the checksum or the JSON is wrong. */
export function decodeCheckedLine(line: Buffer): unknown {
  if (line.length < 10 || line[8] !== 0x20) return undefined
  const json = line.subarray(9)
  if (line.toString('latin1', 0, 8) !== checksum(json)) return undefined
  try {
    return JSON.parse(json.toString('utf8'))
  } catch {
    return undefined
  }
}

function checksum(json: string | Buffer): string {
  return crc32(json).toString(16).padStart(8, '0')
}
