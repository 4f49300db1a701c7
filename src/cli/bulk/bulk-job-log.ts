import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { RelayError } from '../../errors.js'
import { decodeChecksumLine } from '../../util/files/checksum-line.js'

/** What a job began with. */
export interface JobHeader {
  /** Of the file and of how it is read. */
  readonly digest: string
  /** How often all rows of the job were sent before. */
  readonly run: number
  readonly began: string
}

/** A message that the relay accepted for a row. */
export interface AcceptedRow {
  readonly id: string
  readonly status: string
}

/** One line of a job's file: its head, a row about to be sent, what became of it, or the end of all. */
export type JobRecord =
  | { readonly job: JobHeader }
  | { readonly try: string; readonly at: number }
  | ({ readonly done: string } & AcceptedRow)
  | { readonly refused: string }
  | { readonly finished: string; readonly rows: number }

/** What is known of a job. */
export interface JobState {
  head: JobHeader
  /** When all rows were accepted. */
  finished: { readonly at: string; readonly rows: number } | undefined
  /** Rows that may have been sent, with the time of the first try (milliseconds since the epoch). */
  readonly tries: Map<string, number>
  readonly accepted: Map<string, AcceptedRow>
  /** Bytes of the file that can be read. */
  length: number
}

/**
 * Reads a job's file; undefined when there is none yet. A last line that was not written whole does not count. Throws
 * `damaged_data`.
 */
export async function readJobLog(path: string): Promise<JobState | undefined> {
  const size = await getFileSize(path)
  if (size === 0) return undefined
  const state: JobState = {
    head: { digest: '', run: 0, began: '' },
    finished: undefined,
    tries: new Map(),
    accepted: new Map(),
    length: 0,
  }
  let torn = false
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const bytes = Buffer.from(text)
    const line = decodeChecksumLine(bytes)
    if (torn) throw damagedJobError(path)
    torn = line === undefined || state.length + bytes.length + 1 > size
    if (torn) continue
    state.length += bytes.length + 1
    applyRecord(state, line as JobRecord)
  }
  if (state.head.digest === '' && size > 0 && state.length > 0) throw damagedJobError(path)
  return state.length === 0 ? undefined : state
}

function applyRecord(state: JobState, line: JobRecord): void {
  if ('job' in line) {
    state.head = line.job
    state.finished = undefined
  }
  if ('try' in line) state.tries.set(line.try, line.at)
  if ('refused' in line) state.tries.delete(line.refused)
  if ('finished' in line) state.finished = { at: line.finished, rows: line.rows }
  if ('done' in line) {
    state.tries.delete(line.done)
    state.accepted.set(line.done, { id: line.id, status: line.status })
  }
}

async function getFileSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

function damagedJobError(path: string): RelayError {
  return new RelayError('damaged_data', `What was sent already cannot be read from ${path}.`, {
    hint: 'See with `smsrelay message list` what was sent; removing the file begins anew.',
  })
}
