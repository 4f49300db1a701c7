import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hashText } from '../../../util/crypto/secrets.js'
import { writeFileAtomic } from '../../../util/files/atomic-write.js'
import { getFailureReason } from '../../../util/files/file-error.js'
import { makeOwnDirectory } from '../../../util/files/make-directory.js'

/** `trying`: the process that sent the PIN ended before it knew the result. */
type PinState = 'trying' | 'wrong'

/**
 * Remembers the PINs that did not unlock a SIM, for all processes: one file in `directory` for each
 * SIM and PIN, named by their hash. Without a directory, or if it cannot be written, in memory.
 */
export class PinMemory {
  readonly #directory: string | undefined
  readonly #states = new Map<string, PinState>()
  /** Where the PIN is remembered, in words. */
  place: string

  constructor(directory: string | undefined) {
    this.#directory = directory === undefined ? undefined : join(directory, 'wrong-pins')
    this.place = 'in memory, until this program ends'
  }

  async hasAny(): Promise<boolean> {
    if (this.#states.size > 0) return true
    if (this.#directory === undefined) return false
    return (await readdir(this.#directory).catch(() => [])).length > 0
  }

  async read(sim: string, pin: string): Promise<PinState | undefined> {
    const key = toKey(sim, pin)
    const path = this.#getPath(key)
    const content =
      path === undefined ? undefined : await readFile(path, 'utf8').catch(() => undefined)
    if (content === undefined) return this.#states.get(key)
    this.place = `in ${path}`
    return content.trim() === 'trying' ? 'trying' : 'wrong'
  }

  /** Sets or, with undefined, deletes what is known of a PIN. Never rejects. */
  async write(sim: string, pin: string, state: PinState | undefined): Promise<void> {
    const key = toKey(sim, pin)
    const path = this.#getPath(key)
    if (state === undefined) this.#states.delete(key)
    else this.#states.set(key, state)
    if (path === undefined || this.#directory === undefined) return
    try {
      if (state === undefined) return await rm(path, { force: true })
      await makeOwnDirectory(this.#directory)
      await writeFileAtomic(path, `${state}\n`)
      this.place = `in ${path}`
    } catch (error) {
      const reason = `${this.#directory} cannot be written: ${getFailureReason(error)}`
      this.place = `in memory, until this program ends (${reason})`
    }
  }

  #getPath(key: string): string | undefined {
    return this.#directory === undefined ? undefined : join(this.#directory, key)
  }
}

function toKey(sim: string, pin: string): string {
  return hashText(JSON.stringify([sim, pin])).slice(0, 32)
}
