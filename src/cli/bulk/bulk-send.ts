// Sends a table of messages, for `message send --csv` and `--group`:
//
// 1. `bulk-request` parses the flags of `bulk-flags`.
// 2. `openRereadable` opens the file, which is read twice; a pipe is copied to a temporary file.
// 3. `bulk-rows` checks all rows; `bulk-dry-run` prints them and stops here.
// 4. `bulk-job` opens the job. Its log (`bulk-job-log`) has the rows that were accepted before.
//    `resume-job` starts or resumes it.
// 5. `send-rows` reads the file again and collects rows. `send-batch` sends them in one request
//    (`send-row` one row, to an old relay), no faster than `request-rate`. Each row has an
//    idempotency key, so that a retry cannot send it twice.
// 6. `bulk-output` prints the rows and the progress, `bulk-counts` the result.
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { RelayError } from '../../errors.js'
import { pluralize } from '../../util/text/plural.js'
import type { Session } from '../profile/command-session.js'
import { getStateDir } from '../profile/directories.js'
import { exitCodes } from '../terminal/exit-codes.js'
import type { Io } from '../terminal/io.js'
import { openRereadable, type RereadableFile } from '../terminal/rereadable-file.js'
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
import { RequestRate } from './request-rate.js'
import { startOrResumeJob } from './resume-job.js'
import { sendRows } from './send-rows.js'

export interface BulkRequest {
  /** CSV file of the bulk command, or `-` for standard input. */
  readonly file: string
  readonly readOptions: BulkReadOptions
  readonly dryRun: boolean
  readonly skipInvalid: boolean
  readonly job: string | undefined
  readonly again: boolean
  readonly newRows: boolean
  readonly resendUnknown: boolean
  /** Messages a second that the bulk command sends. */
  readonly rate: number | undefined
  readonly concurrency: number
}

export interface BulkContext {
  readonly io: Io
  readonly json: boolean
  readonly signal: AbortSignal
  readonly forceSignal: AbortSignal
  /** Opens the bulk command's session with an API key, after the flags are checked. */
  readonly openSession: () => Promise<Session>
  /** Opens the table in place of the file of the bulk command. */
  readonly openTable?: (() => Promise<RereadableFile>) | undefined
}

interface BulkRun {
  readonly source: RereadableFile
  readonly request: BulkRequest
  readonly context: BulkContext
  readonly output: BulkOutput
  readonly session: Session
  readonly checked: BulkCheck
  readonly job: BulkJob
}

/** Runs a bulk command; resolves to the exit code. */
export async function sendBulk(request: BulkRequest, context: BulkContext): Promise<number> {
  const { io, json, signal, forceSignal } = context
  setMaxListeners(0, signal, forceSignal) // Each row in progress adds a listener.
  const { openTable = () => openRereadable(request.file, io.stdin, signal) } = context
  const source = await openTable()
  const output = new BulkOutput(io, json)
  try {
    if (!request.dryRun) return await checkAndSend(source, request, context, output)
    const invalid = await printDryRun(source, request.readOptions, signal, output)
    return invalid === 0 || request.skipInvalid ? exitCodes.ok : exitCodes.failed
  } finally {
    output.stopProgress()
    await source.close()
  }
}

async function checkAndSend(
  source: RereadableFile,
  request: BulkRequest,
  context: BulkContext,
  output: BulkOutput,
): Promise<number> {
  const session = await context.openSession()
  const checked = await checkRows(source, request.readOptions, context.signal, row => {
    if (row.problems.length > 0 && !request.skipInvalid) output.printInvalidRow(row)
  })
  if (checked.rows === 0) throw emptyFileError()
  if (checked.invalid > 0 && !request.skipInvalid) throw invalidRowsError(checked)
  const job = await openJob(source, request, session, checked, context)
  try {
    return await sendJob({ source, request, context, output, session, checked, job })
  } finally {
    await job.close()
  }
}

async function openJob(
  source: RereadableFile,
  request: BulkRequest,
  session: Session,
  checked: BulkCheck,
  { io, signal }: BulkContext,
): Promise<BulkJob> {
  const name = request.job ?? source.path ?? checked.digest
  const { url } = session.client
  const user = await session.identifyAccount({ signal })
  const owner = { url, user, name: JSON.stringify([request.job ?? null, name]) }
  return await BulkJob.open(join(getStateDir(io.env), getJobDirectoryName(owner)), owner.name)
}

async function sendJob(run: BulkRun): Promise<number> {
  const { source, request, output, checked, job } = run
  const { signal, forceSignal, io } = run.context
  const { client } = run.session
  await client.getUser({ signal })
  const now = toIsoTime(io)
  await startOrResumeJob(job, { ...request, digest: checked.digest, now })
  output.startProgress(checked.rows)
  signal.addEventListener('abort', () => output.printNote(stoppingNote), { once: true })
  const bytes = readAndHash(source, request.readOptions, digest => {
    if (digest !== checked.digest) throw fileChangedError()
  })
  let failure: unknown
  try {
    await sendRows(readRows(bytes, request.readOptions), {
      client,
      job,
      clock: io.clock,
      random: Math.random,
      signal,
      forceSignal,
      resendUnknown: request.resendUnknown,
      requestRate: new RequestRate(request.rate, io.clock),
      concurrency: request.concurrency,
      onRow: result => output.printRow(result),
      onOutage: error => output.printOutage(error),
    })
  } catch (error) {
    failure = error
  }
  return await finishRun(run, failure)
}

async function finishRun(run: BulkRun, failure: unknown): Promise<number> {
  const { context, output, checked, job } = run
  const { counts } = output
  const { accepted, blocked, skipped, refused, unknown, invalid } = counts
  const stored = accepted + blocked + skipped
  const isComplete = stored + refused + unknown + invalid === checked.rows
  const isStopped = context.signal.aborted && !isComplete
  const reason = failure !== undefined ? 'failed' : isStopped ? 'interrupted' : 'done'
  if (stored === checked.rows) await job.finish(toIsoTime(context.io), checked.rows)
  output.stopProgress()
  output.printLine({ type: 'end', reason, rows: checked.rows, ...counts }, undefined)
  output.printNote(formatBulkCounts(checked.rows, counts))
  if (reason !== 'done') output.printNote(resumeHint)
  if (refused + invalid > 0) output.printNote(unsentHint)
  if (failure !== undefined) throw failure
  if (isStopped) return exitCodes.interrupted
  return refused + unknown > 0 ? exitCodes.failed : exitCodes.ok
}

const resumeHint =
  'Run the command again without --again to send the rest; accepted rows are not sent twice.'
const stoppingNote = 'Stopping after the rows in progress. Press Ctrl-C again to stop at once.'
const unsentHint = 'Fix the rejected and skipped rows and run the command again with --new-rows.'

function toIsoTime({ clock }: Io): string {
  return new Date(clock.now()).toISOString()
}

function emptyFileError(): RelayError {
  return new RelayError('invalid_parameter', 'The file has no rows.', {
    hint: 'The first line names the columns; each further line is a message.',
  })
}

function fileChangedError(): RelayError {
  return new RelayError('invalid_state', 'The file changed while it was being sent.', {
    hint: 'Check what was sent, then send the rest with --new-rows.',
  })
}

function invalidRowsError({ rows, invalid }: BulkCheck): RelayError {
  return new RelayError(
    'invalid_parameter',
    `${invalid} of ${pluralize(rows, 'row')} cannot be sent. Nothing was sent.`,
    { hint: 'Fix them, or skip them with --skip-invalid.' },
  )
}
