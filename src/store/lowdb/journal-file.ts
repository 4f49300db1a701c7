import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { RelayError } from '../../errors.js'
import { syncDirectory } from '../../util/files.js'
import {
  decodeLine,
  encodeBytes,
  formatVersion,
  goesOnAfterLine,
  type Header,
  type Trailer,
} from './line.js'
import { forEachLine } from './line-reader.js'

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
  /** Bytes after that: a line whose writing was cut short. */
  readonly torn: number
}

/**
 * Reads a file line by line and checks each checksum. Throws `damaged_data` naming file and line, save for
 * a torn last line where `tornEnd` allows one, and `configuration` for a file of a newer version.
 */
export async function readLines(
  path: string,
  tornEnd: boolean,
  onLine: (value: unknown) => void,
): Promise<FileReading> {
  let number = 0
  let length = 0
  let isSnapshot = false
  let last: unknown
  let bad: Buffer | undefined
  const rest = await forEachLine(path, line => {
    if (bad !== undefined) throw damaged(path, number + 1)
    const value = decodeLine(line)
    if (value === undefined) {
      bad = Buffer.from(line)
      return
    }
    number += 1
    if (number === 1) isSnapshot = checkHeader(path, value).smsrelay === 'snapshot'
    else onLine(value)
    last = value
    length += line.length + 1
  })
  if (!tornEnd && number === 0) throw damaged(path, 1)
  const torn = bad === undefined ? rest.length : bad.length + 1
  const certain = !tornEnd || (bad !== undefined && rest.length > 0) || goesOnAfterLine(bad ?? rest)
  if (torn > 0 && certain) throw damaged(path, number + 1)
  if (isSnapshot && (last as Partial<Trailer>).lines !== number - 2) throw damaged(path, number + 1)
  return { length, torn }
}

function checkHeader(path: string, value: unknown): Partial<Header> {
  const header = value as Partial<Header>
  if (typeof header?.format !== 'number') throw damaged(path, 1)
  if (header.format <= formatVersion) return header
  throw new RelayError(
    'configuration',
    `${path} was written by a newer version of smsrelay (format ${header.format}, known is ${formatVersion}).`,
    { hint: 'Install that version, or choose another directory with --data.' },
  )
}

function damaged(path: string, line: number): RelayError {
  return new RelayError('damaged_data', `${path} is damaged at line ${line}.`, {
    hint: 'Restore the data directory from a backup. Nothing was changed.',
  })
}

/** A file that lines are appended to; each append is durable when it resolves. */
export class JournalFile {
  readonly #file: FileHandle
  #length: number
  #clean = true

  private constructor(file: FileHandle, length: number) {
    this.#file = file
    this.#length = length
  }

  /** Creates a journal with its header; after an error there is none, or it would be in the way of the next try. */
  static async create(path: string): Promise<JournalFile> {
    const journal = new JournalFile(await open(path, flags | O_CREAT | O_EXCL, 0o600), 0)
    try {
      await journal.append(
        encodeBytes({ smsrelay: 'journal', format: formatVersion } satisfies Header),
      )
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

  /** Appends bytes and waits until they are on the disk; after an error the file is as it was before. */
  async append(bytes: Buffer): Promise<void> {
    if (!this.#clean) await this.#cut()
    this.#clean = false
    try {
      await writeAll(this.#file, bytes, this.#length)
      if (!writesThrough) await this.#file.datasync()
    } catch (error) {
      await this.#cut().catch(() => {})
      throw error
    }
    this.#length += bytes.length
    this.#clean = true
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#file.close()
  }

  async #cut(): Promise<void> {
    await this.#file.truncate(this.#length)
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
