import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorText, RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { writeFileAtomic } from '../../../util/files/atomic-write.js'
import { type DirectoryLock, lockDirectory } from '../../../util/files/directory-lock.js'

/** What a place belongs to. */
export interface StreamPositionKey {
  readonly url: string
  /** Secret key of the account. */
  readonly user: string
  readonly target: string
  /** Undefined: every event. */
  readonly events: readonly string[] | undefined
}

interface StoredPosition {
  readonly acknowledged: number
  readonly refused: readonly number[]
}

const fileName = 'place.json'
/** Refused events that are remembered; the oldest are forgotten first. */
const maxFailed = 1000

/** Name of the directory of a place: one for each relay, account, target and choice of events. */
export function getPositionDirectoryName({ url, user, target, events }: StreamPositionKey): string {
  const key = [url, user, target, events === undefined ? '*' : [...events].sort()]
  return `hook-${hashText(JSON.stringify(key)).slice(0, 12)}`
}

/**
 * How far a listener has come: the last acknowledged event, and those it went on without. It is written down as it
 * changes, one write at a time, so that a listener that is killed repeats a little and misses nothing.
 */
export class StreamPosition {
  readonly #path: string
  readonly #lock: DirectoryLock
  #content: StoredPosition | undefined
  #writing: Promise<void> | undefined
  #isBehind = false
  #error: RelayError | undefined

  private constructor(path: string, lock: DirectoryLock, content: StoredPosition | undefined) {
    this.#path = path
    this.#lock = lock
    this.#content = content
  }

  /** Opens a place for this process alone. Throws `directory_in_use`, `configuration` and `damaged_data`. */
  static async open(directory: string): Promise<StreamPosition> {
    const lock = await lockPositionDirectory(directory)
    const path = join(directory, fileName)
    try {
      return new StreamPosition(path, lock, await readPosition(path))
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
  start(after: number): void {
    this.#change({ acknowledged: after, refused: this.refused })
  }

  /** Notes that everything up to this event is done with. */
  acknowledge(sequence: number): void {
    const { refused } = this
    this.#change({ acknowledged: sequence, refused: refused.filter(each => each !== sequence) })
  }

  /** Notes that the listener goes on without this event. */
  markFailed(sequence: number): void {
    const refused = [...new Set([...this.refused, sequence])].sort((a, b) => a - b)
    const acknowledged = Math.max(this.acknowledged ?? 0, sequence)
    this.#change({ acknowledged, refused: refused.slice(-maxFailed) })
  }

  /** Notes that an event that was refused is done with now. */
  removeFailed(sequence: number): void {
    if (this.#content === undefined) return
    const refused = this.refused.filter(each => each !== sequence)
    this.#change({ ...this.#content, refused })
  }

  /** Throws `configuration` when what was noted could not be written down. */
  assertWritten(): void {
    if (this.#error !== undefined) throw this.#error
  }

  /** Resolves when what was noted is on the disk. Throws `configuration` when it cannot be. */
  async flush(): Promise<void> {
    await this.#writing
    this.assertWritten()
  }

  /** Writes down what was noted, and lets go of the directory. */
  async close(): Promise<void> {
    try {
      await this.flush()
    } finally {
      await this.#lock.release()
    }
  }

  #change(content: StoredPosition): void {
    this.#content = content
    this.#isBehind = true
    this.#writing ??= this.#write()
  }

  async #write(): Promise<void> {
    try {
      while (this.#isBehind) {
        this.#isBehind = false
        await writeFileAtomic(this.#path, JSON.stringify(this.#content))
      }
    } catch (cause) {
      this.#error = positionWriteError(this.#path, cause)
    }
    this.#writing = undefined
  }
}

async function lockPositionDirectory(directory: string): Promise<DirectoryLock> {
  try {
    return await lockDirectory(directory)
  } catch (cause) {
    if (!(cause instanceof RelayError)) throw positionWriteError(directory, cause)
    throw new RelayError(cause.code, cause.message, {
      hint: 'Another listener forwards there already; stop it, or give this one another --state directory.',
      cause,
    })
  }
}

async function readPosition(path: string): Promise<StoredPosition | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw damagedPositionError(path, error)
  }
  try {
    const { acknowledged, refused } = JSON.parse(text) as StoredPosition
    if ([acknowledged, ...refused].every(each => Number.isSafeInteger(each) && each >= 0)) {
      return { acknowledged, refused }
    }
  } catch {
    // Told below, like every other damage.
  }
  throw damagedPositionError(path)
}

function damagedPositionError(path: string, cause?: unknown): RelayError {
  return new RelayError('damaged_data', `What was acknowledged cannot be read from ${path}.`, {
    hint: 'Remove the file, and say with --from where to begin.',
    cause,
  })
}

function positionWriteError(path: string, cause: unknown): RelayError {
  const reason = errorText(cause)
  return new RelayError('configuration', `${path} cannot be written (${reason}).`, {
    hint: 'Choose another directory with --state or SMSRELAY_STATE_DIR.',
    cause,
  })
}
