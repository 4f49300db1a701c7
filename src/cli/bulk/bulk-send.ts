// Sends a table of messages, for `message send --csv` and `--group`:
//
// 1. `openRereadable` opens the file, which is read twice; a pipe is copied to a temporary file.
// 2. `bulk-rows` checks all rows; `bulk-dry-run` prints them and stops here.
// 3. `send-rows` reads the file again and sends its rows in batches. The idempotency key of a row
//    is made of the file's name and the row, so the same command continues where it stopped.
// 4. `bulk-output` prints the rows and the progress, `bulk-counts` the result.
import { setMaxListeners } from 'node:events'
import { isCountry } from '../../domain/sms/phone-number.js'
import { RelayError } from '../../errors.js'
import { hashText } from '../../util/crypto/secrets.js'
import { pluralize } from '../../util/text/plural.js'
import type { Session } from '../profile/command-session.js'
import { exitCodes } from '../terminal/exit-codes.js'
import type { Io } from '../terminal/io.js'
import {
  invalidValueError,
  parseEncoding,
  parseInteger,
  parseRateFlag,
  parseUtcTime,
} from '../terminal/parse-values.js'
import { openRereadable, type RereadableFile } from '../terminal/rereadable-file.js'
import { formatBulkCounts } from './bulk-counts.js'
import { printDryRun } from './bulk-dry-run.js'
import type { BulkFlags } from './bulk-flags.js'
import { BulkOutput } from './bulk-output.js'
import {
  type BulkCheck,
  type BulkReadOptions,
  checkRows,
  readAndHash,
  readRows,
} from './bulk-rows.js'
import { sendRows } from './send-rows.js'

export interface BulkRequest {
  readonly file: string
  /** What identifies the table instead of the path or the content of its file. */
  readonly name: string | undefined
  readonly readOptions: BulkReadOptions
  readonly dryRun: boolean
  readonly skipInvalid: boolean
  readonly rate: number | undefined
  readonly concurrency: number
}

export interface BulkContext {
  readonly io: Io
  readonly json: boolean
  readonly signal: AbortSignal
  readonly forceSignal: AbortSignal
  readonly openSession: () => Promise<Session>
  readonly openTable?: (() => Promise<RereadableFile>) | undefined
}

export function parseBulkRequest(flags: BulkFlags): BulkRequest {
  const group = flags.group === undefined ? undefined : `group ${flags.group}`
  return {
    file: flags.csv ?? '-',
    name: flags['idempotency-key'] ?? group,
    readOptions: {
      text: flags.text,
      country: flags.country === undefined ? undefined : parseCountry(flags.country),
      sendOn: flags.at === undefined ? undefined : parseUtcTime('--at', flags.at),
      allowDuplicates: flags['allow-duplicates'],
      flash: flags.flash,
      fewerParts: flags['fewer-parts'],
      encoding: flags.encoding === undefined ? undefined : parseEncoding(flags.encoding),
    },
    dryRun: flags['dry-run'],
    skipInvalid: flags['skip-invalid'],
    rate: flags.rate === undefined ? undefined : parseRateFlag('--rate', flags.rate),
    concurrency: parseInteger('--concurrency', flags.concurrency ?? '8', 1, 64),
  }
}

function parseCountry(text: string): string {
  const code = text.toUpperCase()
  if (isCountry(code)) return code
  const hint = 'Write an ISO 3166 code of two letters, such as DE.'
  throw invalidValueError('--country', text, 'is not a country', hint)
}

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
  const { io, signal, forceSignal } = context
  const { client } = await context.openSession()
  const { readOptions, skipInvalid, rate, concurrency } = request
  const checked = await checkRows(source, readOptions, signal, row => {
    if (row.problems.length > 0 && !skipInvalid) output.printInvalidRow(row)
  })
  if (checked.rows === 0) throw emptyFileError()
  if (checked.invalid > 0 && !skipInvalid) throw invalidRowsError(checked)
  await client.getUser({ signal })
  output.startProgress(checked.rows)
  signal.addEventListener('abort', () => output.printNote(stoppingNote), { once: true })
  const bytes = readAndHash(source, digest => {
    if (digest !== checked.digest) throw fileChangedError()
  })
  const name = request.name ?? source.path ?? checked.digest
  const sending = sendRows(readRows(bytes, readOptions), {
    ...{ client, clock: io.clock, random: Math.random, signal, forceSignal, rate, concurrency },
    createKey: ({ identity }) => `bulk-${hashText(JSON.stringify([name, identity]))}`,
    onRow: result => output.printRow(result),
    onOutage: error => output.printOutage(error),
  })
  const failure = await sending.then(
    () => undefined,
    (error: unknown) => error,
  )
  return finish(output, checked, signal, failure)
}

function finish(
  output: BulkOutput,
  { rows }: BulkCheck,
  signal: AbortSignal,
  failure: unknown,
): number {
  const { counts } = output
  const finished = Object.values(counts).reduce((sum, each) => sum + each, 0)
  const isStopped = signal.aborted && finished < rows
  const reason = failure !== undefined ? 'failed' : isStopped ? 'interrupted' : 'done'
  output.stopProgress()
  output.printLine({ type: 'end', reason, rows, ...counts }, undefined)
  output.printNote(formatBulkCounts(rows, counts))
  if (reason !== 'done') output.printNote(resumeHint)
  if (counts.refused + counts.invalid > 0) output.printNote(unsentHint)
  if (failure !== undefined) throw failure
  if (isStopped) return exitCodes.interrupted
  return counts.refused + counts.unknown > 0 ? exitCodes.failed : exitCodes.ok
}

const resumeHint =
  'Run the same command again within 23 hours to send the rest; no row is sent twice until then.'
const stoppingNote = 'Stopping after the rows in progress. Press Ctrl-C again to stop at once.'
const unsentHint = 'Fix the rejected and skipped rows, and run the command again within 23 hours.'

function emptyFileError(): RelayError {
  return new RelayError('invalid_parameter', 'The file has no rows.', {
    hint: 'The first line names the columns; each further line is a message.',
  })
}

function fileChangedError(): RelayError {
  return new RelayError('invalid_state', 'The file changed while it was being sent.', {
    hint: 'Run the command again: rows that were accepted are not sent twice.',
  })
}

function invalidRowsError({ rows, invalid }: BulkCheck): RelayError {
  return new RelayError(
    'invalid_parameter',
    `${invalid} of ${pluralize(rows, 'row')} cannot be sent. Nothing was sent.`,
    { hint: 'Fix them, or skip them with --skip-invalid.' },
  )
}
