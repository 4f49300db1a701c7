import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { RelayError } from '../../errors.js'
import { writeFileAtomic } from './atomic-write.js'
import { decodeChecksumLine, encodeChecksumLine } from './checksum-line.js'
import { getFailureReason, isMissingFile } from './file-error.js'
import { makeOwnDirectory } from './make-directory.js'

export interface JsonFileOptions<T> {
  readonly content: string
  readonly isValid: (value: unknown) => value is T
  readonly damagedHint: string
  readonly writeHint: string
  readonly checksum?: boolean
  /** Replaces the JSON file. @default an atomic write, readable by this user only */
  readonly write?: (value: T) => Promise<void>
}

/**
 * One value as JSON in a file that is replaced as a whole. Errors name the file and the reason:
 * `damaged_data` for one that cannot be read, `configuration` for one that this user may not read
 * or that cannot be written.
 */
export class JsonFile<T> {
  readonly path: string
  readonly #options: JsonFileOptions<T>

  constructor(path: string, options: JsonFileOptions<T>) {
    this.path = path
    this.#options = options
  }

  async read(): Promise<T | undefined> {
    const bytes = await this.#readBytes()
    if (bytes === undefined) return undefined
    const value = this.#parse(bytes)
    if (this.#options.isValid(value)) return value
    throw this.#damagedError('invalid content', undefined)
  }

  /** Replaces the JSON file; creates the directory. Throws `configuration`. */
  async write(value: T): Promise<void> {
    const { write, checksum = false } = this.#options
    try {
      await makeOwnDirectory(dirname(this.path))
      const text = checksum ? encodeChecksumLine(value) : JSON.stringify(value)
      await (write?.(value) ?? writeFileAtomic(this.path, text))
    } catch (cause) {
      throw this.#accessError('written', cause)
    }
  }

  async #readBytes(): Promise<Buffer | undefined> {
    try {
      return await readFile(this.path)
    } catch (error) {
      if (isMissingFile(error)) return undefined
      if (getFailureReason(error) === 'EACCES') throw this.#accessError('read', error)
      throw this.#damagedError(getFailureReason(error), error)
    }
  }

  #parse(bytes: Buffer): unknown {
    if (this.#options.checksum === true) return decodeChecksumLine(bytes.subarray(0, -1))
    try {
      return JSON.parse(bytes.toString('utf8'))
    } catch {
      return undefined
    }
  }

  #accessError(verb: 'read' | 'written', cause: unknown): RelayError {
    const { content, writeHint: hint } = this.#options
    const sentence = `${content} in ${this.path} cannot be ${verb} (${getFailureReason(cause)}).`
    return new RelayError('configuration', sentence, { hint, cause })
  }

  #damagedError(reason: string, cause: unknown): RelayError {
    const { content, damagedHint } = this.#options
    return new RelayError(
      'damaged_data',
      `${content} in ${this.path} cannot be read (${reason}).`,
      {
        hint: damagedHint,
        cause,
      },
    )
  }
}
