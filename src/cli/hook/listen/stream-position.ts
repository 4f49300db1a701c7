import { join } from 'node:path'
import { RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { type DirectoryLock, lockDirectory } from '../../../util/files/directory-lock.js'
import { JsonFile } from '../../../util/files/json-file.js'

export interface StreamPositionKey {
  readonly url: string
  readonly user: string
  readonly target: string
  readonly events: readonly string[] | undefined
}

interface StoredPosition {
  readonly acknowledged: number
  readonly refused: readonly number[]
}

const fileName = 'place.json'
/** Failed events that `hook listen` stores; the oldest are deleted first. */
const maxFailed = 1000
const writeHint = 'Choose another directory with --state or SMSRELAY_STATE_DIR.'

export function getPositionDirectoryName({ url, user, target, events }: StreamPositionKey): string {
  const key = [url, user, target, events === undefined ? '*' : [...events].sort()]
  return `hook-${hashText(JSON.stringify(key)).slice(0, 12)}`
}

/**
 * The saved position of `hook listen` in the event stream: its last finished event, and the events
 * that failed. Changes are written in the background, one at a time. After a crash, some events are
 * delivered twice, but no event is lost.
 */
export class StreamPosition {
  readonly #file: JsonFile<StoredPosition>
  readonly #lock: DirectoryLock
  #content: StoredPosition | undefined
  #writing: Promise<void> | undefined
  #isChanged = false
  #error: unknown

  private constructor(
    file: JsonFile<StoredPosition>,
    lock: DirectoryLock,
    content: StoredPosition | undefined,
  ) {
    this.#file = file
    this.#lock = lock
    this.#content = content
  }

  static async open(directory: string): Promise<StreamPosition> {
    const lock = await lockPositionDirectory(directory)
    const file = new JsonFile(join(directory, fileName), {
      content: 'The stream position',
      isValid: isStoredPosition,
      damagedHint: 'Remove the file, and choose the first event with --from.',
      writeHint,
    })
    try {
      return new StreamPosition(file, lock, await file.read())
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /**
   * Sequence of the last event that was forwarded or failed; undefined for a new stream position.
   */
  get acknowledged(): number | undefined {
    return this.#content?.acknowledged
  }

  /** Sequences of the events that could not be forwarded, in ascending order. */
  get failed(): readonly number[] {
    return this.#content?.refused ?? []
  }

  start(after: number): void {
    this.#change({ acknowledged: after, refused: this.failed })
  }

  /** Saves that `hook listen` finished this event of the stream and all before it. */
  acknowledge(sequence: number): void {
    const refused = this.failed.filter(each => each !== sequence)
    this.#change({ acknowledged: sequence, refused })
  }

  markFailed(sequence: number): void {
    const refused = [...new Set([...this.failed, sequence])].sort((a, b) => a - b)
    const acknowledged = Math.max(this.acknowledged ?? 0, sequence)
    this.#change({ acknowledged, refused: refused.slice(-maxFailed) })
  }

  removeFailed(sequence: number): void {
    if (this.#content === undefined) return
    const refused = this.failed.filter(each => each !== sequence)
    this.#change({ ...this.#content, refused })
  }

  assertWritten(): void {
    if (this.#error !== undefined) throw this.#error
  }

  async flush(): Promise<void> {
    await this.#writing
    this.assertWritten()
  }

  async close(): Promise<void> {
    try {
      await this.flush()
    } finally {
      await this.#lock.release()
    }
  }

  #change(content: StoredPosition): void {
    this.#content = content
    this.#isChanged = true
    this.#writing ??= this.#write()
  }

  async #write(): Promise<void> {
    try {
      while (this.#isChanged && this.#content !== undefined) {
        this.#isChanged = false
        await this.#file.write(this.#content)
      }
    } catch (error) {
      this.#error = error
    }
    this.#writing = undefined
  }
}

async function lockPositionDirectory(directory: string): Promise<DirectoryLock> {
  try {
    return await lockDirectory(directory)
  } catch (cause) {
    if (!(cause instanceof RelayError)) throw cause
    const hint =
      cause.code === 'directory_in_use'
        ? 'Another listener forwards to this address: stop it, or use another --state.'
        : writeHint
    throw new RelayError(cause.code, cause.message, { hint, cause })
  }
}

function isStoredPosition(value: unknown): value is StoredPosition {
  if (typeof value !== 'object' || value === null) return false
  const { acknowledged, refused } = value as Partial<StoredPosition>
  return Array.isArray(refused) && [acknowledged, ...refused].every(isSequence)
}

function isSequence(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
