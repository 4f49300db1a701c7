import { RelayError } from '../../../errors.js'
import { DriverError } from '../../driver-port/driver.js'
import { type DriverOptions, parseNumberOption } from '../../driver-port/driver-options.js'
import { type ProgramResult, runProgram } from './run-program.js'

/** Characters of what a program said that go into a failure report. */
const maxOutputLength = 500

/** The environment of this process. */
export type Env = Readonly<Record<string, string | undefined>>

/** A program that a driver is made for. */
export interface ExternalProgram {
  readonly name: string
  /** What to do where it is missing, such as `Install it: apt install gammu.` */
  readonly install: string
  readonly env: Env
}

/** One run of a {@link KnownProgram}. */
export interface ProgramCall {
  readonly args: readonly string[]
  /** Milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal
  readonly input?: string
  /** Characters that are kept of the beginning of stdout. @default 4000 */
  readonly keep?: number
}

/** Runs a program; throws `trouble` that says what to install where it is missing, and what {@link runProgram} throws. */
export async function runExternalProgram(
  program: ExternalProgram,
  call: ProgramCall,
): Promise<ProgramResult> {
  try {
    return await runProgram({ program: program.name, env: program.env, ...call })
  } catch (error) {
    if (!isMissing(error)) throw error
    const sentence = `There is no program ${program.name}. ${program.install}`
    throw new DriverError('trouble', sentence, { cause: error })
  }
}

function isMissing(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
}

/** The phone's keys come in by SMSRELAY_ variables and are not a program's business. */
export function removeOwnVariables(env: Env): Record<string, string | undefined> {
  const theirs = ([name]: [string, unknown]) => !name.toUpperCase().startsWith('SMSRELAY_')
  return Object.fromEntries(Object.entries(env).filter(theirs))
}

/** An environment in which programs speak English, so that what they say can be read. */
export function toEnglishEnvironment(env: Env, locale: 'C' | 'C.UTF-8'): Env {
  return { ...removeOwnVariables(env), LC_ALL: locale, LANGUAGE: undefined }
}

/** The end of what a program said, on one line. */
export function getLastOutput(said: string): string {
  const line = said.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return line.slice(-maxOutputLength).toWellFormed().trim()
}

/** How a program ended that was not meant to, in words. */
export function describeResult(name: string, ended: ProgramResult): string {
  const said = getLastOutput(`${ended.stdout}\n${ended.stderr}`)
  const how = describeEnd(ended)
  return said === '' ? `${name}: ${how}.` : `${name}: ${how}: ${said}`
}

/** Words and what to do about it, as sentences. */
export function addAdvice(words: string, advice: string | undefined): string {
  if (advice === undefined) return words
  return `${words}${/[.!?]$/.test(words) ? '' : '.'} ${advice}`
}

function describeEnd(ended: ProgramResult): string {
  if (ended.by === 'exit') return `exit status ${ended.status}`
  return ended.by === 'signal' ? `killed by ${ended.signal}` : ended.reason
}

/** A destination that no program can take for anything else; throws `fail`. */
export function requirePlainNumber(destination: string): string {
  if (/^\+?\d{1,20}$/.test(destination)) return destination
  throw new DriverError('fail', `${JSON.stringify(destination)} is not a number to send to.`)
}

/** The option `timeout`, in milliseconds: 1 to 3600 seconds. @default 60 seconds */
export function parseTimeoutOption(options: DriverOptions): number {
  const seconds = { min: 1, max: 3600, unit: 'seconds' }
  return (parseNumberOption(options, 'timeout', seconds) ?? 60) * 1000
}

/** An option that a program gets as an argument and must not take for an option of its own. Throws `usage`. */
export function parseWordOption(options: DriverOptions, name: string): string | undefined {
  const typed = options[name]?.trim()
  if (typed === undefined || /^[^-\p{Cc}][^\p{Cc}]*$/u.test(typed)) return typed
  throw new RelayError('usage', `${name} cannot be ${JSON.stringify(typed)}.`)
}
