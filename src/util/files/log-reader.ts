import { type FileHandle, open } from 'node:fs/promises'

const blockSize = 1 << 20
const tailSize = 64 << 10
const lineFeed = 10

/**
 * Bytes of a file until the end of its last line that has something in it. What follows is room, which may be filled
 * while the file is read: whoever asks first and reads no further sees the file as it was at one moment.
 */
export async function getContentLength(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  const tail = Buffer.alloc(Math.min(size, tailSize))
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - tail.length)
    const { bytesRead } = await file.read(tail, 0, end - from, from)
    const last = tail.subarray(0, bytesRead).findLastIndex(byte => byte !== lineFeed)
    if (last !== -1) return Math.min(from + last + 2, size)
    end = from
  }
  return 0
}

/**
 * Gives whole lines until the room of a file, many at once, each with its line feed; resolves to what follows the
 * last one. The bytes are overwritten afterwards: what is kept must be copied.
 */
export async function scanBlocks(path: string, take: (lines: Buffer) => void): Promise<Buffer> {
  const file = await open(path, 'r')
  let buffer = Buffer.allocUnsafe(blockSize)
  let filled = 0
  try {
    let left = await getContentLength(file)
    for (;;) {
      if (filled === buffer.length) buffer = Buffer.concat([buffer], 2 * filled)
      const most = Math.min(buffer.length - filled, left)
      const { bytesRead } = await file.read(buffer, filled, most)
      if (bytesRead === 0) return buffer.subarray(0, filled)
      left -= bytesRead
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
export interface Remainder {
  readonly bytes: Buffer
  /** Its offset in the file. */
  readonly at: number
}

/** As {@link forEachBlock}, line by line, without the line feeds but with the offsets in the file. */
export async function scanLines(
  path: string,
  take: (line: Buffer, at: number) => void,
): Promise<Remainder> {
  let at = 0
  const bytes = await scanBlocks(path, lines => {
    let from = 0
    for (let end = lines.indexOf(lineFeed); end !== -1; end = lines.indexOf(lineFeed, from)) {
      take(lines.subarray(from, end), at + from)
      from = end + 1
    }
    at += lines.length
  })
  return { bytes, at }
}
