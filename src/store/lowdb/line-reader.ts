import { open } from 'node:fs/promises'

const blockSize = 1 << 20
const lineFeed = 10

/**
 * Gives whole lines, many at once, each with its line feed; resolves to what follows the last one. The bytes
 * are overwritten afterwards: what is kept must be copied.
 */
export async function forEachBlock(path: string, take: (lines: Buffer) => void): Promise<Buffer> {
  const file = await open(path, 'r')
  let buffer = Buffer.allocUnsafe(blockSize)
  let filled = 0
  try {
    for (;;) {
      if (filled === buffer.length) buffer = Buffer.concat([buffer], 2 * filled)
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled)
      if (bytesRead === 0) return buffer.subarray(0, filled)
      const end = buffer.lastIndexOf(lineFeed, filled + bytesRead - 1) + 1
      filled += bytesRead
      if (end === 0) continue
      take(buffer.subarray(0, end))
      buffer.copyWithin(0, end, filled)
      filled -= end
    }
  } finally {
    await file.close()
  }
}

/** What follows the last line feed of a file. */
export interface Rest {
  readonly bytes: Buffer
  /** Its offset in the file. */
  readonly at: number
}

/** As {@link forEachBlock}, line by line, without the line feeds but with the offsets in the file. */
export async function forEachLine(
  path: string,
  take: (line: Buffer, at: number) => void,
): Promise<Rest> {
  let at = 0
  const bytes = await forEachBlock(path, lines => {
    let from = 0
    for (let end = lines.indexOf(lineFeed); end !== -1; end = lines.indexOf(lineFeed, from)) {
      take(lines.subarray(from, end), at + from)
      from = end + 1
    }
    at += lines.length
  })
  return { bytes, at }
}
