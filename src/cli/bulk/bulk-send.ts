import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { RelayError } from '../../errors.js'
import { pause } from '../../util/async/clock.js'
import { pluralize } from '../../util/text/plural.js'
import { type Connection, type ConnectionFlags, resolveConnection } from '../profile/connection.js'
import { getStateDir } from '../profile/directories.js'
import { openClient } from '../profile/open-client.js'
import { exitCodes } from '../terminal/exit-codes.js'
import type { Io } from '../terminal/io.js'
import { formatBulkCounts } from './bulk-counts.js'
import { printDryRun } from './bulk-dry-run.js'
import { BulkJob, getJobDirectoryName } from './bulk-job.js'
import { BulkOutput } from './bulk-output.js'
import {
  type BulkCheck,
  type BulkReadOptions,
  checkRows,
  readAndHash,
  readRows,
} from './bulk-rows.js'
import { type BulkSource, openSource } from './bulk-source.js'
import { RequestRate } from './request-rate.js'
import { startOrResumeJob } from './resume-job.js'
import { sendRows } from './send-rows.js'

/** What a person asked for. */
export interface BulkRequest {
  /** A path, or `-` for standard input. */
  readonly file: string
  readonly readOptions: BulkReadOptions
  readonly connection: ConnectionFlags
  readonly dryRun: boolean
  readonly skipInvalid: boolean
  readonly job: string | undefined
  readonly again: boolean
  readonly newRows: boolean
  readonly resendUnknown: boolean
  /** Messages a second. */
  readonly rate: number | undefined
  readonly concurrency: number
}

/** What the command lends. */
export interface BulkContext {
  readonly io: Io
  readonly json: boolean
  readonly signal: AbortSignal
  readonly force: AbortSignal
}

/** Sends a table of messages, or shows what it would send; resolves to the exit code. Throws RelayError. */
export async function sendBulk(request: BulkRequest, around: BulkContext): Promise<number> {
  // Each row in hand listens for the end.
  setMaxListeners(0, around.signal, around.force)
  const source = await openSource(request.file, around.io.stdin, around.signal)
  const output = new BulkOutput(around.io, around.json)
  try {
    if (!request.dryRun) return await checkAndSend(source, request, around, output)
    const invalid = await printDryRun(source, request.readOptions, around.signal, output)
    return invalid === 0 || request.skipInvalid ? exitCodes.ok : exitCodes.failed
  } finally {
    output.stopProgress()
    await source.close()
  }
}

async function checkAndSend(
  source: BulkSource,
  request: BulkRequest,
  around: BulkContext,
  output: BulkOutput,
): Promise<number> {
  const connection = await resolveConnection(request.connection, around.io.env, ['api'])
  const checked = await checkRows(source, request.readOptions, around.signal, row => {
    if (row.problems.length > 0 && !request.skipInvalid) output.printInvalidRow(row)
  })
  if (checked.rows === 0) throw emptyFileError()
  if (checked.invalid > 0 && !request.skipInvalid) throw invalidRowsError(checked)
  const job = await openJob(source, request, connection, checked, around.io)
  try {
    return await sendJob({ source, request, around, output, connection, checked, job })
  } finally {
    await job.close()
  }
}

async function openJob(
  source: BulkSource,
  request: BulkRequest,
  { url, credentials }: Connection,
  checked: BulkCheck,
  io: Io,
): Promise<BulkJob> {
  const name = request.job ?? source.path ?? checked.digest
  const owner = { url, user: credentials.user, name: JSON.stringify([request.job ?? null, name]) }
  return await BulkJob.open(join(getStateDir(io.env), getJobDirectoryName(owner)), owner.name)
}

interface BulkRun {
  readonly source: BulkSource
  readonly request: BulkRequest
  readonly around: BulkContext
  readonly output: BulkOutput
  readonly connection: Connection
  readonly checked: BulkCheck
  readonly job: BulkJob
}

async function sendJob(parts: BulkRun): Promise<number> {
  const { request, around, output, checked, job } = parts
  const client = await openClient(parts.connection)
  await client.getUser({ signal: around.signal })
  const now = new Date().toISOString()
  await startOrResumeJob(job, { ...request, digest: checked.digest, now })
  output.startProgress(checked.rows)
  let isAway = false
  let failure: unknown
  const check = (found: string): void => {
    if (found !== checked.digest) throw fileChangedError()
  }
  around.signal.addEventListener('abort', () => output.printNote(stoppingNote), { once: true })
  const rows = readRows(readAndHash(parts.source, request.readOptions, check), request.readOptions)
  await sendRows(rows, {
    ...{ client, job, pause, random: Math.random, clock: Date.now },
    ...{ signal: around.signal, force: around.force, resendUnknown: request.resendUnknown },
    requestRate: new RequestRate({ rate: request.rate, now: around.io.clock.monotonic, pause }),
    concurrency: request.concurrency,
    onRow: result => output.printRow(result),
    onOutage: error => {
      if (isAway === (error !== undefined)) return
      isAway = error !== undefined
      if (error === undefined) return output.printNote('The relay answers again.')
      output.printLine({ type: 'reconnecting', reason: error.message }, undefined)
      output.printNote(`${error.message} It is tried again until it answers; no row is lost.`)
    },
  }).catch((error: unknown) => {
    failure = error
  })
  return await finishRun(parts, failure)
}

async function finishRun(
  { around, output, checked, job }: BulkRun,
  failure: unknown,
): Promise<number> {
  const { counts: tally } = output
  const { accepted, blocked, skipped, refused, unknown, invalid } = tally
  const there = accepted + blocked + skipped
  const isWhole = there + refused + unknown + invalid === checked.rows
  const stopped = around.signal.aborted && !isWhole
  const reason = failure !== undefined ? 'failed' : stopped ? 'interrupted' : 'done'
  if (there === checked.rows) await job.finish(new Date().toISOString(), checked.rows)
  output.stopProgress()
  output.printLine({ type: 'end', reason, rows: checked.rows, ...tally }, undefined)
  output.printNote(formatBulkCounts(checked.rows, tally))
  if (reason !== 'done') output.printNote(resumeHint)
  if (refused > 0) output.printNote(refusedHint)
  if (failure !== undefined) throw failure
  if (stopped) return exitCodes.interrupted
  return refused + unknown > 0 ? exitCodes.failed : exitCodes.ok
}

const resumeHint =
  'To go on, run the command again, without --again: what was accepted is not sent twice.'
const stoppingNote = 'Stopping after the rows in hand; Ctrl-C again does not wait for them.'
const refusedHint = 'Mend the rows that were refused, and run the command again with --new-rows.'

function emptyFileError(): RelayError {
  return new RelayError('invalid_parameter', 'There is no row in the file.', {
    hint: 'The first line names the columns; each line below it is a message.',
  })
}

function fileChangedError(): RelayError {
  return new RelayError('invalid_state', 'The file was changed while it was being sent.', {
    hint: 'Look at what was sent, then send with --new-rows what was not.',
  })
}

function invalidRowsError({ rows, invalid }: BulkCheck): RelayError {
  return new RelayError(
    'invalid_parameter',
    `${invalid} of ${pluralize(rows, 'row')} cannot be sent, so none was sent.`,
    { hint: 'Mend them, or leave them out with --skip-invalid.' },
  )
}
