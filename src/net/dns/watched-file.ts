import { readFile } from 'node:fs/promises'
import type { Clock } from '../../util/async/clock.js'
import { readFileVersion } from '../../util/files/file-version.js'

/** Milliseconds between two checks whether the file has changed. */
const checkInterval = 1000

/**
 * The content of a resolver's file, such as resolv.conf, which is read again when it has changed. A
 * missing file is empty.
 */
export class WatchedFile<T> {
  readonly #path: string
  readonly #parse: (text: string) => T
  readonly #clock: Clock
  #version = ''
  #content: T | undefined
  #reading: Promise<T> | undefined
  #checkedAt = Number.NEGATIVE_INFINITY

  constructor(path: string, parse: (text: string) => T, clock: Clock) {
    this.#path = path
    this.#parse = parse
    this.#clock = clock
  }

  async read(): Promise<T> {
    const isRecent = this.#clock.monotonic() - this.#checkedAt < checkInterval
    if (isRecent && this.#content !== undefined) return this.#content
    this.#reading ??= this.#check().finally(() => {
      this.#reading = undefined
    })
    return await this.#reading
  }

  async #check(): Promise<T> {
    const version = await readFileVersion(this.#path)
    if (this.#content === undefined || version !== this.#version) {
      this.#content = this.#parse(await readFile(this.#path, 'utf8').catch(() => ''))
      this.#version = version
    }
    this.#checkedAt = this.#clock.monotonic()
    return this.#content
  }
}
