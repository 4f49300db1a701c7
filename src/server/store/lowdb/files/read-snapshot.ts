import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import {
  checksumLength,
  decodeChecksumLine,
  formatCrc,
  hasValidChecksum,
} from '../../../../util/files/checksum-line.js'
import { scanBlocks } from '../../../../util/files/log-reader.js'
import { createDamage, type Damage } from './damage.js'
import { assertKnownFormat, type Footer, parseHeader } from './data-file-format.js'
import type { DataFile } from './data-files.js'
import type { SnapshotEntry } from './manifest.js'

/**
 * Gets each record line of a snapshot. `bytes` from `start` to `end` is its JSON, which the
 * checksum and a space precede; the bytes are valid during the call.
 */
export type OnRecord = (bytes: Buffer, start: number, end: number) => void

export interface SnapshotReading {
  /** What a manifest says about this file; undefined without a valid footer. */
  readonly entry: SnapshotEntry | undefined
  readonly lines: number
  readonly damages: readonly Damage[]
}

export interface SnapshotReadingOptions {
  /**
   * Checks the checksum of each line, too, and not only if that of the whole file is wrong.
   * @default false
   */
  readonly checkLines?: boolean
  /** Gets the bytes of the snapshot's lines, many at once. */
  readonly onBytes?: ((bytes: number) => void) | undefined
}

const blockSize = 1 << 20
const maxFooterLength = 256

export async function readSnapshot(
  { path, entry: expected }: DataFile<SnapshotEntry>,
  onRecord: OnRecord,
  { checkLines = false, onBytes }: SnapshotReadingOptions = {},
): Promise<SnapshotReading> {
  const end = await readEnd(path)
  const isIntact = end.footer?.checksum !== undefined && end.footer.checksum === end.checksum
  const options = { checkLines: checkLines || !isIntact, onBytes }
  const { lines, damages } = await readLines(path, onRecord, options)
  const entry: SnapshotEntry | undefined = end.footer && {
    ...{ name: basename(path), records: end.footer.records, length: end.size },
    ...{ checksum: end.footer.checksum, last: end.footer.last },
  }
  if (damages.length === 0) {
    if (end.footer === undefined) damages.push(createDamage(path, 'end', lines))
    else if (!isIntact || end.footer.records !== lines - 2)
      damages.push(createDamage(path, 'line', lines))
    else if (expected !== undefined && !isSameSnapshot(expected, entry))
      damages.push(createDamage(path, 'other'))
  }
  return { entry, lines, damages }
}

function isSameSnapshot(expected: SnapshotEntry, entry: SnapshotEntry | undefined): boolean {
  const names = ['records', 'length', 'checksum', 'last'] as const
  return names.every(name => expected[name] === entry?.[name])
}

async function readLines(
  path: string,
  onRecord: OnRecord,
  { checkLines = false, onBytes }: SnapshotReadingOptions,
): Promise<{ lines: number; damages: Damage[] }> {
  const damages: Damage[] = []
  let lines = 0
  const readLine = (block: Buffer, from: number, to: number): void => {
    lines += 1
    const isHeader = lines === 1
    const isRecord = !isHeader && block[from + checksumLength] === openingBracket
    if ((checkLines || isHeader) && !hasValidChecksum(block, from, to)) {
      damages.push(createDamage(path, 'line', lines, to - from))
    } else if (isHeader) {
      const header = parseHeader(decodeChecksumLine(block.subarray(from, to)))
      if (header?.smsrelay !== 'snapshot') damages.push(createDamage(path, 'line', 1, to - from))
      else assertKnownFormat(path, header)
    } else if (isRecord) onRecord(block, from + checksumLength, to)
  }
  const rest = await scanBlocks(path, block => {
    let from = 0
    for (let to = block.indexOf(10); to !== -1; to = block.indexOf(10, from)) {
      readLine(block, from, to)
      from = to + 1
    }
    onBytes?.(block.length)
  })
  if (rest.length > 0) damages.push(createDamage(path, 'line', lines + 1, rest.length))
  return { lines, damages }
}

/** The first byte of a record line's JSON, unlike that of header and footer. */
const openingBracket = 0x5b

interface SnapshotEnd {
  readonly footer: Footer | undefined
  /** CRC-32 of the snapshot's bytes before the footer. */
  readonly checksum: string | undefined
  readonly size: number
}

async function readEnd(path: string): Promise<SnapshotEnd> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const tail = Buffer.alloc(Math.min(size, maxFooterLength))
    await file.read(tail, 0, tail.length, size - tail.length)
    const start = tail.lastIndexOf(10, -2) + 1
    const isWhole = tail.at(-1) === 10
    const value = isWhole ? decodeChecksumLine(tail.subarray(start, -1)) : undefined
    const footer = value as Partial<Footer> | null | undefined
    if (typeof footer?.checksum !== 'string')
      return { footer: undefined, checksum: undefined, size }
    const checksum = await computeChecksum(file, size - tail.length + start)
    return { footer: footer as Footer, checksum, size }
  } finally {
    await file.close()
  }
}

async function computeChecksum(file: FileHandle, length: number): Promise<string> {
  const block = Buffer.allocUnsafe(Math.min(blockSize, length))
  let checksum = 0
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(block, 0, Math.min(blockSize, length - at), at)
    if (bytesRead === 0) break
    checksum = crc32(block.subarray(0, bytesRead), checksum)
    at += bytesRead
  }
  return formatCrc(checksum)
}
