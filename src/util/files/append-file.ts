import { type FileHandle, open } from 'node:fs/promises'

/** A file that is only ever written to at its end; an append that fails leaves it as it was before. */
export class AppendFile {
  readonly #file: FileHandle
  #length: number
  #synced: number
  #clean = true

  private constructor(file: FileHandle, length: number) {
    this.#file = file
    this.#length = length
    this.#synced = length
  }

  /** Opens a file to go on after `length` bytes (@default all); what follows is cut off, the rest is on the disk then. */
  static async open(path: string, length?: number): Promise<AppendFile> {
    const handle = await open(path, 'r+')
    try {
      const { size } = await handle.stat()
      if (size < (length ?? 0)) throw new Error(`${path} became shorter than it was.`)
      if (size > (length ?? size)) await handle.truncate(length)
      await handle.datasync()
      return new AppendFile(handle, length ?? size)
    } catch (error) {
      await handle.close().catch(() => {})
      throw error
    }
  }

  /** Bytes written. */
  get length(): number {
    return this.#length
  }

  /** Bytes of these that are surely on the disk. */
  get synced(): number {
    return this.#synced
  }

  /** Appends text; when `durable`, all of the file is on the disk once this resolves. */
  async append(text: string, durable: boolean): Promise<void> {
    if (!this.#clean) await this.#cut()
    const bytes = Buffer.from(text)
    this.#clean = false
    try {
      await this.#write(bytes)
      if (durable) await this.#file.datasync()
    } catch (error) {
      await this.#cut().catch(() => {})
      throw error
    }
    this.#length += bytes.length
    if (durable) this.#synced = this.#length
    this.#clean = true
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#file.close()
  }

  async #write(bytes: Buffer): Promise<void> {
    let done = 0
    while (done < bytes.length) {
      const { bytesWritten } = await this.#file.write(
        bytes,
        done,
        bytes.length - done,
        this.#length + done,
      )
      done += bytesWritten
    }
  }

  async #cut(): Promise<void> {
    await this.#file.truncate(this.#length)
    await this.#file.datasync()
    this.#clean = true
  }
}
