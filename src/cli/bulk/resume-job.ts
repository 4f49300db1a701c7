import { RelayError } from '../../errors.js'
import { pluralize } from '../../util/text/plural.js'
import type { BulkJob } from './bulk-job.js'

/** What a person said of earlier runs, and the file as it is now. */
export interface RunOptions {
  readonly digest: string
  readonly again: boolean
  readonly newRows: boolean
  /** ISO 8601. */
  readonly now: string
}

/** Begins or resumes the job, or refuses what would double rows without having been asked for. Throws `invalid_state`. */
export async function startOrResumeJob(job: BulkJob, wish: RunOptions): Promise<void> {
  const { previous: known } = job
  const begin = async (): Promise<void> => await job.start({ digest: wish.digest, began: wish.now })
  if (known === undefined) return await begin()
  const isSame = known.head.digest === wish.digest
  if (known.finished !== undefined) {
    if (wish.newRows) throw jobFinishedError(known.finished.at)
    if (isSame && !wish.again) throw alreadySentError(known.finished)
    return await begin()
  }
  if (isSame && wish.again) throw unfinishedJobError(known.accepted.size)
  if (wish.again) return await begin()
  if (!isSame && !wish.newRows) throw fileChangedError(known.accepted.size)
  await job.resume(wish.digest)
}

function alreadySentError({ at, rows }: { at: string; rows: number }): RelayError {
  return invalidStateError(
    `All of this file (${pluralize(rows, 'row')}) was accepted ${formatTime(at)}; nothing was sent now.`,
    'To send them all once more, give --again, or another --job NAME.',
  )
}

function jobFinishedError(at: string): RelayError {
  return invalidStateError(
    `The job was finished ${formatTime(at)}, and which rows it had is not known any more.`,
    'Make a file of the new rows only.',
  )
}

function unfinishedJobError(accepted: number): RelayError {
  return invalidStateError(
    `The job is not finished: ${pluralize(accepted, 'row')} of it accepted.`,
    'Leave --again out to go on; another --job NAME sends all rows, these too.',
  )
}

function fileChangedError(accepted: number): RelayError {
  return invalidStateError(
    `The file, or how it is read, has changed since the job was left with ${pluralize(accepted, 'row')} accepted.`,
    'Give --new-rows to send only rows that were not accepted as they are now, or --again to send all.',
  )
}

function invalidStateError(message: string, hint: string): RelayError {
  return new RelayError('invalid_state', message, { hint })
}

function formatTime(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`
}
