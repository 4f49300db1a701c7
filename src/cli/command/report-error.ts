import { isRelayError, RelayError } from '../../errors.js'
import { exitCodes, getExitCode } from '../terminal/exit-codes.js'
import { Interrupted, isBrokenPipe } from '../terminal/interruption.js'
import type { Io } from '../terminal/io.js'
import { toOneLine } from '../terminal/terminal-text.js'

/** An error as it is told: a code for programs, one line for people, and the exit code. */
export interface ErrorReport {
  readonly code: string
  readonly message: string
  readonly exitCode: number
}

/** What a command tells of an error; undefined where there is nothing to tell (nobody reads any more). */
export function toErrorReport(error: unknown): ErrorReport | undefined {
  if (isBrokenPipe(error)) return undefined
  if (error instanceof Interrupted) {
    return { code: 'interrupted', message: error.message, exitCode: exitCodes.interrupted }
  }
  if (isRelayError(error)) {
    const message = toOneLine(`${cleanParserMessage(error.message)} ${error.hint ?? ''}`)
    return { code: error.code, message, exitCode: getExitCode(error.code) }
  }
  if (isParserError(error)) return toErrorReport(toUsageError(error))
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'internal_error', message: toOneLine(message), exitCode: exitCodes.failed }
}

/** Tells an error: with `json` one JSON value on stdout, else one line on stderr; sets the exit code. */
export async function reportError(error: unknown, io: Io, json: boolean): Promise<void> {
  const failure = toErrorReport(error)
  if (failure === undefined) return
  io.setExitCode(failure.exitCode)
  const { code, message } = failure
  if (json) io.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`)
  else io.stderr.write(`${await formatPrefix(io)} ${message}\n`)
}

/** Whether the arguments ask for JSON; known before, and even if, they can be parsed. */
export function hasJsonFlag(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json')
}

async function formatPrefix(io: Io): Promise<string> {
  const noColor = io.env.NO_COLOR
  if (io.stderr.isTTY !== true || (noColor !== undefined && noColor !== '')) return 'smsrelay:'
  const { Chalk } = await import('chalk')
  return new Chalk({ level: 1 }).red('smsrelay:')
}

/** The errors of oclif's parser, by their shape: its classes are not exported. */
interface ParserError extends Error {
  readonly oclif: object
  readonly flags?: unknown
  readonly args?: unknown
}

function isParserError(error: unknown): error is ParserError {
  return error instanceof Error && 'oclif' in error
}

/** A sentence on a usage error; never repeats a value, which may be a secret. */
function toUsageError(error: ParserError): RelayError {
  if (Array.isArray(error.flags)) {
    const names = error.flags.map(getFlagName).join(', ')
    return new RelayError('usage', `There is no flag ${names}.`, {
      hint: 'A text that begins with a dash goes behind a "--". See --help.',
    })
  }
  if (Array.isArray(error.args)) {
    return new RelayError('usage', 'There are too many arguments.', {
      hint: 'A text with spaces goes in quotes. See --help.',
    })
  }
  return new RelayError('usage', `${cleanParserMessage(error.message)}.`, { hint: 'See --help.' })
}

function getFlagName(flag: unknown): string {
  const text = String(flag)
  return text.startsWith('--') ? (text.split('=')[0] ?? '') : text.slice(0, 2)
}

/** The parser puts lines around the message of whatever is thrown in it. */
function cleanParserMessage(message: string): string {
  const lines = message.split('\n').filter(line => line.trim() !== 'See more help with --help')
  const text = toOneLine(lines.join(' ')).replace(/^The following errors? occurred: /, '')
  return text.replace(/[.:]$/, match => (match === '.' ? match : ''))
}
