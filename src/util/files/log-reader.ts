import { type FileHandle, open } from 'node:fs/promises'
import { decodeChecksumLine } from './checksum-line.js'
import { isMissingFile } from './file-error.js'
import { TornTail } from './torn-tail.js'

const blockSize = 1 << 20
const chunkSize = 64 << 10
const lineFeed = 10

export interface DamagedLine {
  readonly line: number
  readonly bytes: number
}

export interface LogReading {
  readonly lines: number
  readonly length: number
  readonly torn: number
  readonly damage: readonly DamagedLine[]
}

/**
 * Reads a log forward and calls `onValue` with the value, the number, from 1, and the bytes of each
 * whole line, which are valid during the call. Unless `allowTornTail`, a torn tail is damage.
 */
export async function readLog(
  path: string,
  { allowTornTail }: { readonly allowTornTail: boolean },
  onValue: (value: unknown, line: number, bytes: Buffer) => void,
): Promise<LogReading> {
  const damage: DamagedLine[] = []
  let lines = 0
  let length = 0
  let tail: TornTail | undefined
  let tailLines: DamagedLine[] = []
  const addToTail = (bytes: Buffer, at: number): void => {
    lines += 1
    tail ??= new TornTail(length)
    if (bytes.length > 0) tail.add(bytes, at)
    else if (tailLines.at(-1)?.bytes === 0) return
    tailLines.push({ line: lines, bytes: bytes.length })
  }
  const rest = await scanLines(path, (bytes, at) => {
    const value = decodeChecksumLine(bytes)
    if (value === undefined) {
      addToTail(bytes, at)
      return
    }
    if (tail !== undefined) {
      damage.push(...tailLines)
      tail = undefined
      tailLines = []
    }
    lines += 1
    length = at + bytes.length + 1
    onValue(value, lines, bytes)
  })
  if (rest.bytes.length > 0) addToTail(rest.bytes, rest.at)
  const [first] = tailLines
  if (first === undefined) return { lines, length, torn: 0, damage }
  if (allowTornTail && tail?.isOneWrite === true) {
    return { lines: first.line, length, torn: tail.length, damage }
  }
  return { lines, length, torn: 0, damage: [...damage, ...tailLines] }
}

export async function readLogValues(path: string): Promise<unknown[]> {
  const values: unknown[] = []
  try {
    await readLog(path, { allowTornTail: true }, value => values.push(value))
  } catch (error) {
    if (!isMissingFile(error)) throw error
  }
  return values
}

/**
 * Bytes of a file up to the end of its last line that is not empty. The preallocation behind it may
 * be filled during a read: a reader that stops here sees the file as it was at one moment.
 */
export async function getContentLength(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  const chunk = Buffer.alloc(Math.min(size, chunkSize))
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - chunk.length)
    const { bytesRead } = await file.read(chunk, 0, end - from, from)
    const last = findLastOther(chunk.subarray(0, bytesRead))
    if (last !== -1) return Math.min(from + last + 2, size)
    end = from
  }
  return 0
}

const lineFeeds = Buffer.alloc(4 << 10, lineFeed)

function findLastOther(bytes: Buffer): number {
  let end = bytes.length
  // Preallocated space is long, and comparing buffers is fast.
  while (end >= lineFeeds.length && bytes.subarray(end - lineFeeds.length, end).equals(lineFeeds))
    end -= lineFeeds.length
  return bytes.subarray(0, end).findLastIndex(byte => byte !== lineFeed)
}

/**
 * Calls `onLines` with many whole lines at once, each with its line feed; resolves to the bytes
 * after the last one. The buffer is reused: bytes that are needed later must be copied.
 */
export async function scanBlocks(path: string, onLines: (lines: Buffer) => void): Promise<Buffer> {
  const file = await open(path, 'r')
  let filled = 0
  try {
    let remaining = await getContentLength(file)
    let buffer = Buffer.allocUnsafe(Math.min(blockSize, remaining + 1))
    for (;;) {
      if (filled === buffer.length) buffer = Buffer.concat([buffer], 2 * filled)
      const maxBytes = Math.min(buffer.length - filled, remaining)
      const { bytesRead } = await file.read(buffer, filled, maxBytes)
      if (bytesRead === 0) return buffer.subarray(0, filled)
      remaining -= bytesRead
      const end = buffer.lastIndexOf(lineFeed, filled + bytesRead - 1) + 1
      filled += bytesRead
      if (end === 0) continue
      onLines(buffer.subarray(0, end))
      buffer.copyWithin(0, end, filled)
      filled -= end
    }
  } finally {
    await file.close()
  }
}

/** The bytes of a log file after the last line feed, and their offset. */
interface Remainder {
  readonly bytes: Buffer
  readonly at: number
}

/**
 * Calls `onLine` with each line of any log file, without its line feed, and its offset in the file.
 */
async function scanLines(
  path: string,
  onLine: (line: Buffer, at: number) => void,
): Promise<Remainder> {
  let at = 0
  const bytes = await scanBlocks(path, lines => {
    splitLines(lines, (line, from) => onLine(line, at + from))
    at += lines.length
  })
  return { bytes, at }
}

export function splitLines(bytes: Buffer, onLine: (line: Buffer, at: number) => void): Remainder {
  let from = 0
  for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, from)) {
    onLine(bytes.subarray(from, end), from)
    from = end + 1
  }
  return { bytes: bytes.subarray(from), at: from }
}

/** The lines of a file, the last first, without their line feeds; empty ones are skipped. */
export async function* readLinesBackward(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r')
  try {
    let rest: Buffer = Buffer.alloc(0)
    for (let end = (await file.stat()).size; end > 0; ) {
      const start = Math.max(end - chunkSize, 0)
      const bytes = Buffer.concat([await readRange(file, start, end), rest])
      end = start
      const first = start === 0 ? 0 : bytes.indexOf(lineFeed) + 1
      rest = bytes.subarray(0, first)
      if (first === 0 && start > 0) rest = bytes
      else yield* splitReversed(bytes.subarray(first))
    }
  } finally {
    await file.close()
  }
}

function splitReversed(bytes: Buffer): string[] {
  const lines = bytes.toString('utf8').split('\n')
  return lines.filter(line => line !== '').reverse()
}

async function readRange(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(end - start)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
  return bytes.subarray(0, bytesRead)
}
