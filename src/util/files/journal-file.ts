import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { RelayError } from '../../errors.js'
import {
  decodeLine,
  encodeBytes,
  formatVersion,
  type Header,
  type Trailer,
} from '../../server/store/lowdb/journal/journal-line.js'
import { syncDirectory } from './atomic-write.js'
import { scanLines } from './log-reader.js'
import { TornTail } from './torn-tail.js'

const { O_RDWR, O_CREAT, O_EXCL, O_DSYNC } = constants

/**
 * Whether a write to the journal ends when it is on the disk (open(2), O_DSYNC): one errand for another thread instead
 * of two. Elsewhere, as on macOS, only datasync reaches the disk itself.
 */
const writesThrough = process.platform === 'linux'
const flags = writesThrough ? O_RDWR | O_DSYNC : O_RDWR

/** What reading a file found. */
export interface FileReading {
  /** Bytes up to the end of the last whole line. */
  readonly length: number
  /** Bytes after that, but for room: a line whose writing was cut short. */
  readonly torn: number
}

/**
 * Reads a file line by line and checks each checksum. Throws `damaged_data` naming file and line, save for
 * a torn last line where `tornEnd` allows one, and `configuration` for a file of a newer version.
 */
export async function readDataFile(
  path: string,
  tornEnd: boolean,
  onLine: (value: unknown) => void,
): Promise<FileReading> {
  let number = 0
  let length = 0
  let isSnapshot = false
  let last: unknown
  let ending: TornTail | undefined
  const rest = await scanLines(path, (line, at) => {
    const value = decodeLine(line)
    if (value === undefined) {
      ending ??= new TornTail(length)
      if (line.length > 0) ending.add(line, at)
      return
    }
    if (ending !== undefined) throw damagedDataError(path, number + 1)
    number += 1
    if (number === 1) isSnapshot = checkHeader(path, value).smsrelay === 'snapshot'
    else onLine(value)
    last = value
    length = at + line.length + 1
  })
  if (rest.bytes.length > 0) {
    ending ??= new TornTail(length)
    ending.add(rest.bytes, rest.at)
  }
  const torn = ending?.length ?? 0
  const isTorn = tornEnd && ending?.isOneWrite === true
  if ((number === 0 && !tornEnd) || (torn > 0 && !isTorn)) throw damagedDataError(path, number + 1)
  if (isSnapshot && (last as Partial<Trailer>).lines !== number - 2)
    throw damagedDataError(path, number + 1)
  return { length, torn }
}

function checkHeader(path: string, value: unknown): Partial<Header> {
  const header = value as Partial<Header>
  if (typeof header?.format !== 'number') throw damagedDataError(path, 1)
  if (header.format <= formatVersion) return header
  throw new RelayError(
    'configuration',
    `${path} was written by a newer version of smsrelay (format ${header.format}, known is ${formatVersion}).`,
    { hint: 'Install that version, or choose another directory with --data.' },
  )
}

function damagedDataError(path: string, line: number): RelayError {
  return new RelayError('damaged_data', `${path} is damaged at line ${line}.`, {
    hint: 'Restore the data directory from a backup. Nothing was changed.',
  })
}

/** Line feeds behind what was written. */
const preallocation = Buffer.alloc(256 << 10, '\n')

/**
 * A file that lines are appended to; each append is durable when it resolves. It ends with room, so that most appends fill
 * blocks that the file has: then only the data is to be written, and not where it is, which takes a disk twice as long.
 */
export class JournalFile {
  readonly #file: FileHandle
  #length: number
  /** Bytes of the file, with its room. */
  #size: number
  #clean = true

  private constructor(file: FileHandle, length: number) {
    this.#file = file
    this.#length = length
    this.#size = length
  }

  /** Creates a journal with its header; after an error there is none, or it would be in the way of the next try. */
  static async create(path: string): Promise<JournalFile> {
    const journal = new JournalFile(await open(path, flags | O_CREAT | O_EXCL, 0o600), 0)
    try {
      const header = { smsrelay: 'journal', format: formatVersion } satisfies Header
      await journal.#append(encodeBytes(header), async bytes => await journal.#put(bytes))
      await syncDirectory(dirname(path))
      return journal
    } catch (error) {
      await journal.close()
      await rm(path, { force: true })
      throw error
    }
  }

  /** Opens a journal to go on after `length` bytes; what follows is cut off. */
  static async resume(path: string, length: number): Promise<JournalFile> {
    const journal = new JournalFile(await open(path, flags), length)
    await journal.#cut()
    return journal
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length
  }

  /** Appends bytes and waits until they are on the disk; after an error the file is as it was before, but for its room. */
  async append(bytes: Buffer): Promise<void> {
    await this.#append(bytes, async () => {
      if (this.#length + bytes.length <= this.#size) await this.#put(bytes)
      else await this.#putWithRoom(bytes)
    })
  }

  /** Takes the room away and closes the file. */
  async close(): Promise<void> {
    await this.#file.truncate(this.#length).catch(() => {})
    await this.#file.close()
  }

  async #append(bytes: Buffer, put: (bytes: Buffer) => Promise<void>): Promise<void> {
    if (!this.#clean) await this.#cut()
    this.#clean = false
    try {
      await put(bytes)
    } catch (error) {
      await this.#cut().catch(() => {})
      throw error
    }
    this.#length += bytes.length
    this.#clean = true
  }

  /** Where there is no room for room, there may be some for the bytes. */
  async #putWithRoom(bytes: Buffer): Promise<void> {
    try {
      await this.#put(Buffer.concat([bytes, preallocation]))
    } catch {
      await this.#cut()
      await this.#put(bytes)
    }
  }

  async #put(bytes: Buffer): Promise<void> {
    await writeAll(this.#file, bytes, this.#length)
    if (!writesThrough) await this.#file.datasync()
    this.#size = Math.max(this.#size, this.#length + bytes.length)
  }

  async #cut(): Promise<void> {
    await this.#file.truncate(this.#length)
    this.#size = this.#length
    await this.#file.datasync()
    this.#clean = true
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
