import { join } from 'node:path'
import { isRelayError, RelayError } from '../../errors.js'
import { hashText } from '../../util/crypto/secrets.js'
import { BatchedLog } from '../../util/files/batched-log.js'
import { encodeChecksumLine } from '../../util/files/checksum-line.js'
import { type DirectoryLock, lockDirectory } from '../../util/files/directory-lock.js'
import { getFailureReason } from '../../util/files/file-error.js'
import { type AcceptedRow, type JobRecord, type JobState, readJobLog } from './bulk-job-log.js'
import type { RowOutcome } from './send-row.js'

export interface JobIdentity {
  readonly url: string
  readonly user: string
  /**
   * Name of the bulk job: the value of --job, the path of the CSV file, or the digest of a pipe.
   */
  readonly name: string
}

/** The outcome of a bulk row to record. */
interface RowRecord {
  readonly identity: string
  readonly outcome: RowOutcome | undefined
}

const fileName = 'rows.log'

export function getJobDirectoryName({ url, user, name }: JobIdentity): string {
  return `bulk-${hashText(JSON.stringify([url, user, name])).slice(0, 12)}`
}

/**
 * The rows of a bulk CSV file that were sent, so that resuming after a crash sends no row twice.
 * The try of a row is on disk before it is sent; its result is recorded afterwards.
 */
export class BulkJob {
  readonly #path: string
  readonly #name: string
  readonly #lock: DirectoryLock
  readonly #previous: JobState | undefined
  #state: JobState | undefined
  #log: BatchedLog<JobRecord> | undefined

  private constructor(path: string, name: string, lock: DirectoryLock, previous?: JobState) {
    this.#path = path
    this.#name = name
    this.#lock = lock
    this.#previous = previous
  }

  /** Locks and opens a bulk job. Throws `directory_in_use`, `damaged_data`, `configuration`. */
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

  get previous(): JobState | undefined {
    return this.#previous
  }

  async start(head: { digest: string; began: string }): Promise<void> {
    const run = this.#previous === undefined ? 0 : this.#previous.head.run + 1
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

  async resume(fileDigest: string): Promise<void> {
    const state = this.#previous
    if (state === undefined) throw new Error('There is no run to resume.')
    this.#state = state
    await this.#openLog(state).open()
    if (state.head.digest !== fileDigest) {
      state.head = { ...state.head, digest: fileDigest }
      await this.#record({ job: state.head }, true)
    }
  }

  getAccepted(identity: string): AcceptedRow | undefined {
    return this.#state?.accepted.get(identity)
  }

  /**
   * Time of the first try of a bulk row with an unknown result, in milliseconds since the epoch.
   */
  getFirstTry(identity: string): number | undefined {
    return this.#state?.tries.get(identity)
  }

  /** A bulk row has the same idempotency key during a run, wherever it is in the CSV file. */
  getIdempotencyKey(identity: string): string {
    const { run } = this.#state?.head ?? { run: 0 }
    return `bulk-${hashText(JSON.stringify([this.#name, run, identity]))}`
  }

  /** Records that bulk rows are about to be sent; the record is on disk when this resolves. */
  async recordTries(identities: readonly string[], at: number): Promise<void> {
    if (identities.length > 0) await this.#record({ tries: identities, at }, true)
  }

  /**
   * Records the outcomes of bulk rows. After a loss of power, accepted ones may count as only
   * tried.
   */
  async recordResults(results: readonly RowRecord[]): Promise<void> {
    const accepted: [string, string, string][] = []
    const refused: string[] = []
    for (const { identity, outcome } of results) {
      if (outcome?.outcome === 'refused') refused.push(identity)
      if (outcome?.outcome !== 'accepted') continue
      const { id, status } = outcome.message
      accepted.push([identity, id, status])
    }
    if (accepted.length > 0) await this.#record({ accepted }, false)
    for (const identity of refused) await this.#record({ refused: identity }, true)
  }

  async finish(at: string, rows: number): Promise<void> {
    if (this.#state === undefined) return
    this.#state.finished = { at, rows }
    await this.#log?.rewrite()
  }

  async close(): Promise<void> {
    await this.#log?.close().catch(() => {})
    await this.#lock.release()
  }

  #openLog(state: JobState): BatchedLog<JobRecord> {
    this.#log = new BatchedLog<JobRecord>({
      path: this.#path,
      length: state.length,
      encodeAll: () => toRecords(state).map(encodeChecksumLine),
      encode: encodeChecksumLine,
      toError: cannotWriteJobError,
    })
    return this.#log
  }

  async #record(record: JobRecord, durable: boolean): Promise<void> {
    await this.#log?.append(record, durable)
  }
}

function toRecords({ head, finished }: JobState): JobRecord[] {
  if (finished === undefined) return [{ job: head }]
  return [{ job: head }, { finished: finished.at, rows: finished.rows }]
}

async function lockJob(directory: string): Promise<DirectoryLock> {
  try {
    return await lockDirectory(directory)
  } catch (cause) {
    if (!isRelayError(cause, 'directory_in_use')) throw cause
    throw new RelayError(cause.code, cause.message, {
      hint: 'Another process sends this job: wait for its end, or add another --job NAME.',
      cause,
    })
  }
}

function cannotWriteJobError(path: string, cause: unknown): RelayError {
  const reason = getFailureReason(cause)
  return new RelayError('configuration', `${path} cannot be written (${reason}).`, {
    hint: 'Free disk space, or set SMSRELAY_STATE_DIR to another directory.',
    cause,
  })
}
