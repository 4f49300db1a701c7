import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RelayError } from '../../../errors.js'
import { digest } from '../../../util/crypto/secrets.js'
import { replaceFile } from '../../../util/files/atomic-write.js'
import { type DirectoryLock, lockDirectory } from '../../../util/files/directory-lock.js'

/** What a place belongs to. */
export interface PlaceOwner {
  readonly url: string
  /** Secret key of the account. */
  readonly user: string
  readonly target: string
  /** Undefined: every event. */
  readonly events: readonly string[] | undefined
}

interface Content {
  readonly acknowledged: number
  readonly refused: readonly number[]
}

const fileName = 'place.json'
/** Refused events that are remembered; the oldest are forgotten first. */
const mostRefused = 1000

/** Name of the directory of a place: one for each relay, account, target and choice of events. */
export function placeName({ url, user, target, events }: PlaceOwner): string {
  const key = [url, user, target, events === undefined ? '*' : [...events].sort()]
  return `hook-${digest(JSON.stringify(key)).slice(0, 12)}`
}

/**
 * How far a listener has come: the last acknowledged event, and those it went on without. It is written down as it
 * changes, one write at a time, so that a listener that is killed repeats a little and misses nothing.
 */
export class HookPlace {
  readonly #path: string
  readonly #lock: DirectoryLock
  #content: Content | undefined
  #writing: Promise<void> | undefined
  #isBehind = false
  #error: RelayError | undefined

  private constructor(path: string, lock: DirectoryLock, content: Content | undefined) {
    this.#path = path
    this.#lock = lock
    this.#content = content
  }

  /** Opens a place for this process alone. Throws `directory_in_use`, `configuration` and `damaged_data`. */
  static async open(directory: string): Promise<HookPlace> {
    const lock = await lockPlace(directory)
    const path = join(directory, fileName)
    try {
      return new HookPlace(path, lock, await load(path))
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /** Number of the last event that was acknowledged or refused; undefined when nothing is known yet. */
  get acknowledged(): number | undefined {
    return this.#content?.acknowledged
  }

  /** Numbers of the events that were refused, in order. */
  get refused(): readonly number[] {
    return this.#content?.refused ?? []
  }

  /** Notes where the listener begins. */
  begin(after: number): void {
    this.#change({ acknowledged: after, refused: this.refused })
  }

  /** Notes that everything up to this event is done with. */
  acknowledge(sequence: number): void {
    const { refused } = this
    this.#change({ acknowledged: sequence, refused: refused.filter(each => each !== sequence) })
  }

  /** Notes that the listener goes on without this event. */
  refuse(sequence: number): void {
    const refused = [...new Set([...this.refused, sequence])].sort((a, b) => a - b)
    const acknowledged = Math.max(this.acknowledged ?? 0, sequence)
    this.#change({ acknowledged, refused: refused.slice(-mostRefused) })
  }

  /** Notes that an event that was refused is done with now. */
  settle(sequence: number): void {
    if (this.#content === undefined) return
    const refused = this.refused.filter(each => each !== sequence)
    this.#change({ ...this.#content, refused })
  }

  /** Throws `configuration` when what was noted could not be written down. */
  check(): void {
    if (this.#error !== undefined) throw this.#error
  }

  /** Resolves when what was noted is on the disk. Throws `configuration` when it cannot be. */
  async saved(): Promise<void> {
    await this.#writing
    this.check()
  }

  /** Writes down what was noted, and lets go of the directory. */
  async close(): Promise<void> {
    try {
      await this.saved()
    } finally {
      await this.#lock.release()
    }
  }

  #change(content: Content): void {
    this.#content = content
    this.#isBehind = true
    this.#writing ??= this.#write()
  }

  async #write(): Promise<void> {
    try {
      while (this.#isBehind) {
        this.#isBehind = false
        await replaceFile(this.#path, JSON.stringify(this.#content))
      }
    } catch (cause) {
      this.#error = cannotWrite(this.#path, cause)
    }
    this.#writing = undefined
  }
}

async function lockPlace(directory: string): Promise<DirectoryLock> {
  try {
    return await lockDirectory(directory)
  } catch (cause) {
    if (!(cause instanceof RelayError)) throw cannotWrite(directory, cause)
    throw new RelayError(cause.code, cause.message, {
      hint: 'Another listener forwards there already; stop it, or give this one another --state directory.',
      cause,
    })
  }
}

async function load(path: string): Promise<Content | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw damaged(path, error)
  }
  try {
    const { acknowledged, refused } = JSON.parse(text) as Content
    if ([acknowledged, ...refused].every(each => Number.isSafeInteger(each) && each >= 0)) {
      return { acknowledged, refused }
    }
  } catch {
    // Told below, like every other damage.
  }
  throw damaged(path)
}

function damaged(path: string, cause?: unknown): RelayError {
  return new RelayError('damaged_data', `What was acknowledged cannot be read from ${path}.`, {
    hint: 'Remove the file, and say with --from where to begin.',
    cause,
  })
}

function cannotWrite(path: string, cause: unknown): RelayError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new RelayError('configuration', `${path} cannot be written (${reason}).`, {
    hint: 'Choose another directory with --state or SMSRELAY_STATE_DIR.',
    cause,
  })
}
