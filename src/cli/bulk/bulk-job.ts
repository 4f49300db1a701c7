import { join } from 'node:path'
import { RelayError } from '../../errors.js'
import { hashText } from '../../util/crypto/secrets.js'
import { BatchedLog } from '../../util/files/batched-log.js'
import { encodeChecksumLine } from '../../util/files/checksum-line.js'
import { type DirectoryLock, lockDirectory } from '../../util/files/directory-lock.js'
import { getFailureReason } from '../../util/files/file-error.js'
import { type AcceptedRow, type JobRecord, type JobState, readJobLog } from './bulk-job-log.js'

/** Whose job it is and what it sends. */
export interface JobIdentity {
  readonly url: string
  /** Secret key of the account. */
  readonly user: string
  /** The name given, or the path or content of the file. */
  readonly name: string
}

const fileName = 'rows.log'

/** Name of a job's directory: one for each relay, account and name. */
export function getJobDirectoryName({ url, user, name }: JobIdentity): string {
  return `bulk-${hashText(JSON.stringify([url, user, name])).slice(0, 12)}`
}

/**
 * What was sent of a file, kept so that whoever goes on after a crash doubles nothing: before a row is sent its try is
 * on the disk, after it what became of it.
 */
export class BulkJob {
  readonly #path: string
  readonly #name: string
  readonly #lock: DirectoryLock
  readonly #known: JobState | undefined
  #state: JobState | undefined
  #log: BatchedLog<JobRecord> | undefined

  private constructor(path: string, name: string, lock: DirectoryLock, known?: JobState) {
    this.#path = path
    this.#name = name
    this.#lock = lock
    this.#known = known
  }

  /** Takes a job for this process alone. Throws `directory_in_use`, `damaged_data`, `configuration`. */
  static async open(directory: string, name: string): Promise<BulkJob> {
    const lock = await lockJob(directory)
    const path = join(directory, fileName)
    try {
      return new BulkJob(path, name, lock, await readJobLog(path))
    } catch (error) {
      await lock.release()
      throw error instanceof RelayError ? error : cannotWriteJobError(path, error)
    }
  }

  /** What was known when the job was opened; undefined for a new one. */
  get previous(): JobState | undefined {
    return this.#known
  }

  /** Begins a run in which no row was sent yet. */
  async start(head: { digest: string; began: string }): Promise<void> {
    const run = this.#known === undefined ? 0 : this.#known.head.run + 1
    const state: JobState = {
      head: { ...head, run },
      finished: undefined,
      tries: new Map(),
      accepted: new Map(),
      length: 0,
    }
    await this.#openLog(state).rewrite()
    this.#state = state
  }

  /** Goes on with the run that was known. */
  async resume(fileDigest: string): Promise<void> {
    const known = this.#known
    if (known === undefined) throw new Error('There is nothing to resume.')
    this.#state = known
    await this.#openLog(known).open()
    if (known.head.digest !== fileDigest) {
      known.head = { ...known.head, digest: fileDigest }
      await this.#record({ job: known.head })
    }
  }

  /** The message that was accepted for a row. */
  getAccepted(identity: string): AcceptedRow | undefined {
    return this.#state?.accepted.get(identity)
  }

  /** When a row was first tried that may have been sent, in milliseconds since the epoch. */
  getFirstTry(identity: string): number | undefined {
    return this.#state?.tries.get(identity)
  }

  /** The idempotency key of a row: the same in this run wherever the row stands. */
  getIdempotencyKey(identity: string): string {
    const { run } = this.#state?.head ?? { run: 0 }
    return `bulk-${hashText(JSON.stringify([this.#name, run, identity]))}`
  }

  /** Notes that a row is about to be sent; on the disk when this resolves. */
  async recordTry(identity: string, at: number): Promise<void> {
    await this.#record({ try: identity, at })
  }

  /** Notes what was accepted for a row; a loss of power may take it back to a row that was tried. */
  async recordAccepted(identity: string, { id, status }: AcceptedRow): Promise<void> {
    await this.#record({ done: identity, id, status })
  }

  /** Notes that the relay refused a row, which surely was not sent. */
  async recordRefused(identity: string): Promise<void> {
    await this.#record({ refused: identity })
  }

  /** Notes that every row was accepted; which, is forgotten. */
  async finish(at: string, rows: number): Promise<void> {
    if (this.#state === undefined) return
    this.#state.finished = { at, rows }
    await this.#log?.rewrite()
  }

  /** Lets go of the job. */
  async close(): Promise<void> {
    await this.#log?.close().catch(() => {})
    await this.#lock.release()
  }

  #openLog(state: JobState): BatchedLog<JobRecord> {
    this.#log = new BatchedLog<JobRecord>({
      path: this.#path,
      length: state.length,
      encodeAll: () => toRecords(state).map(encodeChecksumLine).join(''),
      encode: encodeChecksumLine,
      toError: cannotWriteJobError,
    })
    return this.#log
  }

  async #record(record: JobRecord): Promise<void> {
    await this.#log?.append(record, !('done' in record))
  }
}

/** The records of a run that begins or has ended: only then is the file rewritten. */
function toRecords({ head, finished }: JobState): JobRecord[] {
  if (finished === undefined) return [{ job: head }]
  return [{ job: head }, { finished: finished.at, rows: finished.rows }]
}

async function lockJob(directory: string): Promise<DirectoryLock> {
  try {
    return await lockDirectory(directory)
  } catch (cause) {
    if (!(cause instanceof RelayError)) throw cannotWriteJobError(directory, cause)
    throw new RelayError(cause.code, cause.message, {
      hint: 'This job is being sent already; wait for its end, or name another --job.',
      cause,
    })
  }
}

function cannotWriteJobError(path: string, cause: unknown): RelayError {
  const reason = getFailureReason(cause)
  return new RelayError('configuration', `${path} cannot be written (${reason}).`, {
    hint: 'Make room, or choose another directory with SMSRELAY_STATE_DIR.',
    cause,
  })
}
