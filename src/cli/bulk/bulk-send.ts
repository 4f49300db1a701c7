import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { RelayError } from '../../errors.js'
import { pause } from '../../util/async/clock.js'
import { counted } from '../../util/text/plural.js'
import { type Connection, type ConnectionFlags, resolveConnection } from '../profile/connection.js'
import { stateDir } from '../profile/directories.js'
import { openClient } from '../profile/open-client.js'
import { exitCodes } from '../terminal/exit-codes.js'
import type { Io } from '../terminal/io.js'
import { tallyLine } from './bulk-counts.js'
import { dryRun } from './bulk-dry-run.js'
import { Job, jobDirectory } from './bulk-job.js'
import { BulkOutput } from './bulk-output.js'
import { type BulkPlan, type Checked, checkRows, digested, readRows } from './bulk-rows.js'
import { type BulkSource, openSource } from './bulk-source.js'
import { Pacer } from './request-rate.js'
import { chooseRun } from './resume-job.js'
import { sendRows } from './send-rows.js'

/** What a person asked for. */
export interface BulkRequest {
  /** A path, or `-` for standard input. */
  readonly file: string
  readonly plan: BulkPlan
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
export interface BulkSurroundings {
  readonly io: Io
  readonly json: boolean
  readonly signal: AbortSignal
  readonly force: AbortSignal
}

/** Sends a table of messages, or shows what it would send; resolves to the exit code. Throws RelayError. */
export async function bulkSend(request: BulkRequest, around: BulkSurroundings): Promise<number> {
  // Each row in hand listens for the end.
  setMaxListeners(0, around.signal, around.force)
  const source = await openSource(request.file, around.io.stdin, around.signal)
  const output = new BulkOutput(around.io, around.json)
  try {
    if (!request.dryRun) return await send(source, request, around, output)
    const invalid = await dryRun(source, request.plan, around.signal, output)
    return invalid === 0 || request.skipInvalid ? exitCodes.ok : exitCodes.failed
  } finally {
    output.end()
    await source.close()
  }
}

async function send(
  source: BulkSource,
  request: BulkRequest,
  around: BulkSurroundings,
  output: BulkOutput,
): Promise<number> {
  const connection = await resolveConnection(request.connection, around.io.env, ['api'])
  const checked = await checkRows(source, request.plan, around.signal, row => {
    if (row.problems.length > 0 && !request.skipInvalid) output.problem(row)
  })
  if (checked.rows === 0) throw emptyFile()
  if (checked.invalid > 0 && !request.skipInvalid) throw invalidRows(checked)
  const job = await openJob(source, request, connection, checked, around.io)
  try {
    return await work({ source, request, around, output, connection, checked, job })
  } finally {
    await job.close()
  }
}

async function openJob(
  source: BulkSource,
  request: BulkRequest,
  { url, credentials }: Connection,
  checked: Checked,
  io: Io,
): Promise<Job> {
  const name = request.job ?? source.path ?? checked.digest
  const owner = { url, user: credentials.user, name: JSON.stringify([request.job ?? null, name]) }
  return await Job.open(join(stateDir(io.env), jobDirectory(owner)), owner.name)
}

interface Work {
  readonly source: BulkSource
  readonly request: BulkRequest
  readonly around: BulkSurroundings
  readonly output: BulkOutput
  readonly connection: Connection
  readonly checked: Checked
  readonly job: Job
}

async function work(parts: Work): Promise<number> {
  const { request, around, output, checked, job } = parts
  const client = await openClient(parts.connection)
  await client.getUser({ signal: around.signal })
  const now = new Date().toISOString()
  await chooseRun(job, { ...request, digest: checked.digest, now })
  output.begin(checked.rows)
  let isAway = false
  let failure: unknown
  const check = (found: string): void => {
    if (found !== checked.digest) throw changedMeanwhile()
  }
  around.signal.addEventListener('abort', () => output.note(stopping), { once: true })
  const rows = readRows(digested(parts.source, request.plan, check), request.plan)
  await sendRows(rows, {
    ...{ client, job, pause, random: Math.random, clock: Date.now },
    ...{ signal: around.signal, force: around.force, resendUnknown: request.resendUnknown },
    pacer: new Pacer({ rate: request.rate, now: around.io.now, pause }),
    concurrency: request.concurrency,
    onRow: result => output.row(result),
    onOutage: error => {
      if (isAway === (error !== undefined)) return
      isAway = error !== undefined
      if (error === undefined) return output.note('The relay answers again.')
      output.line({ type: 'reconnecting', reason: error.message }, undefined)
      output.note(`${error.message} It is tried again until it answers; no row is lost.`)
    },
  }).catch((error: unknown) => {
    failure = error
  })
  return await end(parts, failure)
}

async function end({ around, output, checked, job }: Work, failure: unknown): Promise<number> {
  const { tally } = output
  const { accepted, blocked, skipped, refused, unknown, invalid } = tally
  const there = accepted + blocked + skipped
  const isWhole = there + refused + unknown + invalid === checked.rows
  const stopped = around.signal.aborted && !isWhole
  const reason = failure !== undefined ? 'failed' : stopped ? 'interrupted' : 'done'
  if (there === checked.rows) await job.finish(new Date().toISOString(), checked.rows)
  output.end()
  output.line({ type: 'end', reason, rows: checked.rows, ...tally }, undefined)
  output.note(tallyLine(checked.rows, tally))
  if (reason !== 'done') output.note(howToResume)
  if (refused > 0) output.note(howToMend)
  if (failure !== undefined) throw failure
  if (stopped) return exitCodes.interrupted
  return refused + unknown > 0 ? exitCodes.failed : exitCodes.ok
}

const howToResume =
  'To go on, run the command again, without --again: what was accepted is not sent twice.'
const stopping = 'Stopping after the rows in hand; Ctrl-C again does not wait for them.'
const howToMend = 'Mend the rows that were refused, and run the command again with --new-rows.'

function emptyFile(): RelayError {
  return new RelayError('invalid_parameter', 'There is no row in the file.', {
    hint: 'The first line names the columns; each line below it is a message.',
  })
}

function changedMeanwhile(): RelayError {
  return new RelayError('invalid_state', 'The file was changed while it was being sent.', {
    hint: 'Look at what was sent, then send with --new-rows what was not.',
  })
}

function invalidRows({ rows, invalid }: Checked): RelayError {
  return new RelayError(
    'invalid_parameter',
    `${invalid} of ${counted(rows, 'row')} cannot be sent, so none was sent.`,
    { hint: 'Mend them, or leave them out with --skip-invalid.' },
  )
}
