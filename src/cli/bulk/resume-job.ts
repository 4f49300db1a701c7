import { RelayError } from '../../errors.js'
import { counted } from '../../util/text/plural.js'
import type { Job } from './bulk-job.js'

/** What a person said of earlier runs, and the file as it is now. */
export interface RunWish {
  readonly digest: string
  readonly again: boolean
  readonly newRows: boolean
  /** ISO 8601. */
  readonly now: string
}

/** Begins or resumes the job, or refuses what would double rows without having been asked for. Throws `invalid_state`. */
export async function chooseRun(job: Job, wish: RunWish): Promise<void> {
  const { known } = job
  const begin = async (): Promise<void> => await job.begin({ digest: wish.digest, began: wish.now })
  if (known === undefined) return await begin()
  const isSame = known.head.digest === wish.digest
  if (known.finished !== undefined) {
    if (wish.newRows) throw noRowsKnown(known.finished.at)
    if (isSame && !wish.again) throw sentAlready(known.finished)
    return await begin()
  }
  if (isSame && wish.again) throw unfinished(known.accepted.size)
  if (wish.again) return await begin()
  if (!isSame && !wish.newRows) throw changed(known.accepted.size)
  await job.resume(wish.digest)
}

function sentAlready({ at, rows }: { at: string; rows: number }): RelayError {
  return refused(
    `All of this file (${counted(rows, 'row')}) was accepted ${shown(at)}; nothing was sent now.`,
    'To send them all once more, give --again, or another --job NAME.',
  )
}

function noRowsKnown(at: string): RelayError {
  return refused(
    `The job was finished ${shown(at)}, and which rows it had is not known any more.`,
    'Make a file of the new rows only.',
  )
}

function unfinished(accepted: number): RelayError {
  return refused(
    `The job is not finished: ${counted(accepted, 'row')} of it accepted.`,
    'Leave --again out to go on; another --job NAME sends all rows, these too.',
  )
}

function changed(accepted: number): RelayError {
  return refused(
    `The file, or how it is read, has changed since the job was left with ${counted(accepted, 'row')} accepted.`,
    'Give --new-rows to send only rows that were not accepted as they are now, or --again to send all.',
  )
}

function refused(message: string, hint: string): RelayError {
  return new RelayError('invalid_state', message, { hint })
}

function shown(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`
}
