import { errorText, isRelayError, RelayError } from '../../errors.js'
import { exitCodes, getExitCode } from '../terminal/exit-codes.js'
import { Interrupted, isBrokenPipe } from '../terminal/interruption.js'
import { type Io, print, shouldUseColor } from '../terminal/io.js'
import { suggest } from '../terminal/suggest.js'
import { formatJson, toOneLine } from '../terminal/terminal-text.js'
import { isTrueVariable } from './environment-flags.js'

export interface ErrorReport {
  readonly code: string
  readonly message: string
  readonly details?: readonly string[]
  readonly exitCode: number
}

export function toErrorReport(error: unknown): ErrorReport | undefined {
  if (isBrokenPipe(error)) return undefined
  if (error instanceof Interrupted) {
    const { message, fields } = error
    return { ...fields, code: 'interrupted', message, exitCode: exitCodes.interrupted }
  }
  if (isRelayError(error)) {
    const message = toOneLine(`${cleanParserMessage(error.message)} ${error.hint ?? ''}`)
    const { code, fields } = error
    const report = { ...fields, code, message, exitCode: getExitCode(code) }
    return error.details.length === 0
      ? report
      : { ...report, details: error.details.map(toOneLine) }
  }
  if (isParserError(error)) return toErrorReport(toUsageError(error))
  const message = errorText(error)
  return { code: 'internal_error', message: toOneLine(message), exitCode: exitCodes.failed }
}

/**
 * Prints a command's error: JSON on stdout with --json, else a line on stderr. Sets the exit code.
 */
export async function reportError(thrown: unknown, io: Io, json: boolean): Promise<void> {
  const report = toErrorReport(thrown)
  if (report === undefined) return
  const { exitCode, ...error } = report
  io.setExitCode(exitCode)
  if (json) print(io.stdout, `${formatJson({ error })}\n`, io.env)
  else {
    const lines = [`${await formatPrefix(io)} ${error.message}`, ...(error.details ?? [])]
    print(io.stderr, `${lines.join('\n')}\n`, io.env)
  }
}

export function hasJsonFlag(argv: readonly string[], env: Io['env']): boolean {
  return hasFlag(argv, '--json') || isTrueVariable(env.SMSRELAY_JSON)
}

export function hasJsonOutput(argv: readonly string[], env: Io['env']): boolean {
  if (hasFlag(argv, '--json')) return true
  const format = findOutputFormat(argv)
  if (format !== undefined) return format === 'json'
  return isTrueVariable(env.SMSRELAY_JSON) || env.SMSRELAY_OUTPUT === 'json'
}

export function hasFlag(argv: readonly string[], ...names: readonly string[]): boolean {
  return listFlagWords(argv).some(word => names.includes(word))
}

/** The words that can be flags: those before `--`. */
function listFlagWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end === -1 ? argv : argv.slice(0, end)
}

function findOutputFormat(argv: readonly string[]): string | undefined {
  const words = listFlagWords(argv)
  const values = words.map((word, index) =>
    word === '-o' || word === '--output'
      ? words[index + 1]
      : /^(?:-o=?|--output=)(.+)$/s.exec(word)?.[1],
  )
  return values.find(value => value !== undefined)
}

async function formatPrefix(io: Io): Promise<string> {
  if (!shouldUseColor(io.stderr, io.env)) return 'smsrelay:'
  const { Chalk } = await import('chalk')
  return new Chalk({ level: 1 }).red('smsrelay:')
}

/** An error of oclif's parser, recognized by its shape: oclif does not export the classes. */
interface ParserError extends Error {
  readonly oclif: object
  readonly flags?: unknown
  readonly args?: unknown
  readonly parse?: { readonly input?: { readonly flags?: object; readonly args?: object } }
}

function isParserError(error: unknown): error is ParserError {
  return error instanceof Error && 'oclif' in error
}

/** Never repeats a command-line value, which may be a secret. */
function toUsageError(error: ParserError): RelayError {
  if (Array.isArray(error.flags)) {
    const names = error.flags.map(getFlagName)
    const known = Object.keys(error.parse?.input?.flags ?? {}).map(name => `--${name}`)
    const [near] = names.flatMap(name => suggest(name, known) ?? [])
    return new RelayError('usage', `Unknown flag ${names.join(', ')}.`, {
      hint:
        near === undefined
          ? 'Put a text that begins with a dash after "--". See --help.'
          : `Did you mean ${near}?`,
    })
  }
  if (Array.isArray(error.args)) {
    const [missing] = error.args.filter(each => typeof each?.name === 'string')
    if (missing !== undefined) {
      const name = missing.name.toUpperCase()
      return new RelayError('usage', `${name} is missing.`, { hint: 'See --help.' })
    }
    const { args = {} } = error.parse?.input ?? {}
    if (Object.keys(args).length === 0) {
      return new RelayError('usage', 'This command takes no arguments.', { hint: 'See --help.' })
    }
    return new RelayError('usage', 'Too many arguments.', {
      hint: 'Put a text with spaces in quotes. See --help.',
    })
  }
  return new RelayError('usage', `${cleanParserMessage(error.message)}.`, { hint: 'See --help.' })
}

function getFlagName(flag: unknown): string {
  const text = String(flag)
  return text.startsWith('--') ? (text.split('=')[0] ?? '') : text.slice(0, 2)
}

function cleanParserMessage(message: string): string {
  const lines = message.split('\n').filter(line => line.trim() !== 'See more help with --help')
  const text = toOneLine(lines.join(' '))
  return text
    .replace(/^The following errors? occurred: /, '')
    .replace(/^Parsing --\S+ /, '')
    .replace(/:$/, '')
}
