// Append logs: files that are only written at their end. Store, delivery log, phone and bulk jobs
// use them.
//
//   log           = *line [torn-tail] preallocation
//   line          = checksum SP json LF      ; delivery log: json LF
//   checksum      = CRC-32 of json, 8 lower-case hexadecimal digits
//   json          = one JSON value in UTF-8, without a line feed
//   torn-tail     = what an interrupted write left: at most a part of its lines
//   preallocation = *LF                      ; later lines are written over it
//
// While a log is open, a line feed of the preallocation is on the disk behind each line: a file
// that ends right after a line was cut.
// `append-log` writes bytes at the end. `batched-log` writes records of many callers together and
// rewrites a file that has grown. `log-reader` reads lines (`checksum-line`) forward or backward;
// `torn-tail` decides whether bytes without a whole line are what one interrupted write can leave.
import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from './atomic-write.js'
import { isMissingFile } from './file-error.js'
import { makeDirectory } from './make-directory.js'

const { O_APPEND, O_CREAT, O_EXCL, O_DSYNC } = constants
/** A link in place of a log is an error; Windows has no such flag. */
const openFlags = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)

/**
 * On Linux a write with O_DSYNC returns when the data is on the disk (open(2)), which costs one
 * call instead of two. Elsewhere, as on macOS, only datasync reaches the disk.
 */
const canWriteThrough = process.platform === 'linux'

/**
 * For log files: a system may cache the bytes of one write as one piece, and write the whole piece
 * again for each later append into it. Small pieces keep what the disk writes for an append small.
 */
const lineFeeds = Buffer.alloc(32 << 10, '\n')

export interface AppendLogOptions {
  /**
   * Bytes to preallocate when an append exceeds the file, up to a multiple of them. Appends then
   * write into blocks that the file already has, which takes a disk half the time. Every append is
   * then durable.
   * @default 0
   */
  readonly preallocate?: number
}

/** A file that is only written at its end; a failed append leaves its content as it was. */
export class AppendLog {
  readonly #file: FileHandle
  /** The same log file without O_DSYNC. */
  readonly #buffered: FileHandle
  readonly #writesThrough: boolean
  readonly #step: number
  #length = 0
  /** Bytes of the append log's file, including the preallocation. */
  #size = 0
  #synced = 0
  #isClean = true

  private constructor({ file, buffered }: LogHandles, { preallocate = 0 }: AppendLogOptions) {
    this.#file = file
    this.#buffered = buffered
    this.#writesThrough = preallocate > 0 && canWriteThrough
    this.#step = preallocate
  }

  /** Creates a log that begins with `bytes`; after an error there is no file. */
  static async create(
    path: string,
    bytes: Buffer,
    options: AppendLogOptions = {},
  ): Promise<AppendLog> {
    const handles = await openHandles(path, options, O_CREAT | O_EXCL)
    const log = new AppendLog(handles, options)
    try {
      await log.append(bytes)
      await syncDirectory(dirname(path))
      return log
    } catch (error) {
      await log.close()
      await rm(path, { force: true })
      throw error
    }
  }

  /**
   * Opens a log with `length` bytes of content (@default all), which are then on the disk. What
   * follows is truncated; with preallocation at least one line feed replaces it. Throws an error if
   * the file is shorter.
   */
  static async open(
    path: string,
    { length, ...options }: AppendLogOptions & { readonly length?: number | undefined } = {},
  ): Promise<AppendLog> {
    const handles = await openHandles(path, options)
    try {
      const { size } = await handles.file.stat()
      if (length !== undefined && size < length) {
        throw new Error(`${path} has ${size} bytes, fewer than the ${length} it had before.`)
      }
      const log = new AppendLog(handles, options)
      log.#length = length ?? size
      log.#size = size
      await log.#truncate()
      await log.#reserve(0)
      log.#synced = log.#length
      return log
    } catch (error) {
      await closeHandles(handles).catch(() => {})
      throw error
    }
  }

  get length(): number {
    return this.#length
  }

  get synced(): number {
    return this.#synced
  }

  /**
   * Appends bytes to the log; if `durable`, the whole content is on the disk when this resolves.
   */
  async append(bytes: Buffer, durable = true): Promise<void> {
    if (!this.#isClean) await this.#truncate()
    await this.#reserve(bytes.length)
    this.#isClean = false
    try {
      await this.#write(bytes, durable)
    } catch (error) {
      await this.#truncate().catch(() => {})
      throw error
    }
    this.#length += bytes.length
    this.#isClean = true
    if (durable) this.#synced = this.#length
  }

  async close({ keepPreallocation = false } = {}): Promise<void> {
    if (!keepPreallocation && (this.#step > 0 || !this.#isClean)) {
      await this.#file.truncate(this.#length).catch(() => {})
    }
    await closeHandles({ file: this.#file, buffered: this.#buffered })
  }

  /**
   * Preallocates if bytes of this length and a line feed after them would exceed the log file. A
   * disk too full for a whole step may still have space for these.
   */
  async #reserve(length: number): Promise<void> {
    const end = this.#length + length + 1
    if (this.#step === 0 || end <= this.#size) return
    try {
      await this.#writeLineFeeds(this.#size, Math.ceil(end / this.#step) * this.#step)
    } catch {
      await this.#writeLineFeeds(this.#size, end)
    }
  }

  /** Pieces of the log end at sectors, so an interruption leaves what one write can leave. */
  async #writeLineFeeds(from: number, end: number): Promise<void> {
    for (let at = from; at < end; ) {
      const length = Math.min(end - at, lineFeeds.length - (at % lineFeeds.length))
      at += (await this.#buffered.write(lineFeeds, 0, length, at)).bytesWritten
    }
    await this.#buffered.datasync()
    this.#size = end
  }

  async #write(bytes: Buffer, durable: boolean): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const remaining = bytes.length - done
      const { bytesWritten } = await this.#file.write(bytes, done, remaining, this.#length + done)
      done += bytesWritten
    }
    if (durable && !this.#writesThrough) await this.#file.datasync()
    this.#size = Math.max(this.#size, this.#length + bytes.length)
  }

  /** Removes what follows the content; with preallocation, line feeds replace it. */
  async #truncate(): Promise<void> {
    if (this.#step > 0) {
      await this.#writeLineFeeds(this.#length, this.#size)
    } else {
      await this.#file.truncate(this.#length)
      this.#size = this.#length
      await this.#file.datasync()
    }
    this.#isClean = true
  }
}

interface LogHandles {
  readonly file: FileHandle
  readonly buffered: FileHandle
}

async function openHandles(
  path: string,
  { preallocate = 0 }: AppendLogOptions,
  flags = 0,
): Promise<LogHandles> {
  if (preallocate === 0 || !canWriteThrough) {
    const file = await open(path, openFlags | flags, 0o600)
    return { file, buffered: file }
  }
  const file = await open(path, openFlags | O_DSYNC | flags, 0o600)
  try {
    return { file, buffered: await open(path, openFlags) }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function closeHandles({ file, buffered }: LogHandles): Promise<void> {
  await file.close()
  if (buffered !== file) await buffered.close()
}

/**
 * Opens a log, appends text without a sync, and closes it. Creates the file and its directory;
 * ends a torn last line first.
 */
export async function appendToLog(path: string, text: string): Promise<void> {
  const file = await openToAppend(path)
  try {
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(size - 1, 0))
    const isTorn = size > 0 && buffer[0] !== 0x0a
    await file.appendFile(isTorn ? `\n${text}` : text)
  } finally {
    await file.close()
  }
}

async function openToAppend(path: string): Promise<FileHandle> {
  try {
    return await open(path, openFlags | O_APPEND | O_CREAT, 0o600)
  } catch (error) {
    if (!isMissingFile(error)) throw error
    await makeDirectory(dirname(path))
    return await open(path, openFlags | O_APPEND | O_CREAT, 0o600)
  }
}
