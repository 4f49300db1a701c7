import { RelayError } from '../../errors.js'
import { pluralize } from '../../util/text/plural.js'
import type { BulkJob } from './bulk-job.js'

export interface RunOptions {
  /** SHA-256 of the bulk CSV file and of the options it is read with. */
  readonly digest: string
  readonly again: boolean
  readonly newRows: boolean
  /** The time of the bulk command, in ISO 8601. */
  readonly now: string
}

/**
 * Starts or resumes a bulk job. Throws `invalid_state` if it would send rows again without --again.
 */
export async function startOrResumeJob(job: BulkJob, options: RunOptions): Promise<void> {
  const { previous } = job
  const { digest, again, newRows, now } = options
  const start = async (): Promise<void> => await job.start({ digest, began: now })
  if (previous === undefined) return await start()
  const isSame = previous.head.digest === digest
  if (previous.finished !== undefined) {
    if (newRows) throw jobFinishedError(previous.finished.at)
    if (isSame && !again) throw alreadySentError(previous.finished)
    return await start()
  }
  if (isSame && again) throw unfinishedJobError(previous.accepted.size)
  if (again) return await start()
  if (!isSame && !newRows) throw fileChangedError(previous.accepted.size)
  await job.resume(digest)
}

function alreadySentError({ at, rows }: { at: string; rows: number }): RelayError {
  return new RelayError(
    'invalid_state',
    `The whole file (${pluralize(rows, 'row')}) was accepted ${formatTime(at)}.`,
    { hint: 'To send all rows again, add --again or another --job NAME.' },
  )
}

function jobFinishedError(at: string): RelayError {
  const message = `The job finished ${formatTime(at)}, and its rows are no longer stored.`
  return new RelayError('invalid_state', message, {
    hint: 'Remove --new-rows and use a file with the new rows only.',
  })
}

function unfinishedJobError(accepted: number): RelayError {
  return new RelayError(
    'invalid_state',
    `The job is not finished: ${pluralize(accepted, 'row')} accepted so far.`,
    { hint: 'Remove --again to resume it. Another --job NAME sends all rows, these too.' },
  )
}

function fileChangedError(accepted: number): RelayError {
  const message =
    'The file or its options changed since the job stopped ' +
    `with ${pluralize(accepted, 'row')} accepted.`
  return new RelayError('invalid_state', message, {
    hint: 'Add --new-rows to send the rows that were not accepted, or --again to send all.',
  })
}

function formatTime(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`
}
