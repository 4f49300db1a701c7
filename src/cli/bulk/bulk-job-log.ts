import { RelayError } from '../../errors.js'
import { isMissingFile } from '../../util/files/file-error.js'
import { type LogReading, readLog } from '../../util/files/log-reader.js'

export interface JobHeader {
  /** SHA-256 of the bulk CSV file and of the options it is read with. */
  readonly digest: string
  /** Number of the bulk run, from 0; --again starts a new one. */
  readonly run: number
  readonly began: string
}

export interface AcceptedRow {
  readonly id: string
  readonly status: string
}

export type JobRecord =
  | { readonly job: JobHeader }
  | { readonly tries: readonly string[]; readonly at: number }
  | { readonly accepted: readonly (readonly [identity: string, id: string, status: string])[] }
  | { readonly refused: string }
  | { readonly finished: string; readonly rows: number }
  // The records of versions that sent one row in a request:
  | { readonly try: string; readonly at: number }
  | ({ readonly done: string } & AcceptedRow)

export interface JobState {
  head: JobHeader
  /** Set when all rows of the bulk job were accepted. */
  finished: { readonly at: string; readonly rows: number } | undefined
  /**
   * Bulk rows with an unknown result, with the time of the first try (milliseconds since the
   * epoch).
   */
  readonly tries: Map<string, number>
  readonly accepted: Map<string, AcceptedRow>
  /** Bytes of intact records in the bulk job's log. */
  length: number
}

/**
 * Reads the log of a bulk job; undefined without one. Ignores a torn tail. Throws `damaged_data`.
 */
export async function readJobLog(path: string): Promise<JobState | undefined> {
  const state: JobState = {
    head: { digest: '', run: 0, began: '' },
    finished: undefined,
    tries: new Map(),
    accepted: new Map(),
    length: 0,
  }
  const reading = await readIfExists(path, value => applyRecord(state, value as JobRecord))
  if (reading === undefined || (reading.length === 0 && reading.damage.length === 0)) {
    return undefined
  }
  if (reading.damage.length > 0 || state.head.digest === '') throw damagedJobError(path)
  state.length = reading.length
  return state
}

async function readIfExists(
  path: string,
  onValue: (value: unknown) => void,
): Promise<LogReading | undefined> {
  try {
    return await readLog(path, { allowTornTail: true }, onValue)
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
}

function applyRecord(state: JobState, line: JobRecord): void {
  if ('job' in line) {
    state.head = line.job
    state.finished = undefined
  }
  if ('tries' in line) for (const identity of line.tries) state.tries.set(identity, line.at)
  if ('accepted' in line) {
    for (const [identity, id, status] of line.accepted) addAccepted(state, identity, { id, status })
  }
  if ('try' in line) state.tries.set(line.try, line.at)
  if ('refused' in line) state.tries.delete(line.refused)
  if ('finished' in line) state.finished = { at: line.finished, rows: line.rows }
  if ('done' in line) addAccepted(state, line.done, { id: line.id, status: line.status })
}

function addAccepted(state: JobState, identity: string, row: AcceptedRow): void {
  state.tries.delete(identity)
  state.accepted.set(identity, row)
}

function damagedJobError(path: string): RelayError {
  return new RelayError('damaged_data', `The log of accepted rows in ${path} is damaged.`, {
    hint: 'Check with `smsrelay message list` what was sent. Remove the file to send all rows.',
  })
}
