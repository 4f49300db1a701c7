// Drivers that run a program of the machine for each text, as mmcli and gammu also do.
//
// 1. run-program.ts runs a program with a timeout, without a shell. A stop first asks the program
//    to end, and kills it and its children two seconds later.
// 2. This file adds what the drivers of known programs share: the advice if the program is missing,
//    an environment in which programs print English, and their options.
// 3. inbox-polling.ts reads received texts at intervals from programs that announce nothing.
// 4. exec-driver.ts runs the user's program; termux-driver.ts sends with an Android phone.

import { getErrorCode, RelayError } from '../../../errors.js'
import type { Clock } from '../../../util/async/clock.js'
import { DriverError } from '../../driver-port/driver.js'
import { type DriverOption, type Env, parsed, type text } from '../../driver-port/driver-options.js'
import { type ProgramResult, runProgram } from './run-program.js'

/** Characters of a driver program's output that go into an error. */
const maxErrorLength = 500

export interface ExternalProgram {
  readonly name: string
  /** Advice if a driver's program is missing, such as `Install it: apt install gammu.` */
  readonly install: string
  readonly env: Env
  readonly clock: Clock
}

export interface ProgramCall {
  readonly args: readonly string[]
  /** Milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal
  readonly input?: string
  /** Characters of the driver program's stdout to read. @default 4000 */
  readonly maxOutput?: number
}

export async function runExternalProgram(
  { name, install, env, clock }: ExternalProgram,
  call: ProgramCall,
): Promise<ProgramResult> {
  try {
    return await runProgram({ program: name, env, clock, ...call })
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new DriverError('trouble', `There is no program ${name}. ${install}`, { cause: error })
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && getErrorCode(error.cause) === 'ENOENT'
}

/**
 * Removes the SMSRELAY_ variables, which may contain the phone's keys, from the environment of a
 * driver's program.
 */
export function removeOwnVariables(env: Env): Record<string, string | undefined> {
  const isForeign = ([name]: [string, unknown]) => !name.toUpperCase().startsWith('SMSRELAY_')
  return Object.fromEntries(Object.entries(env).filter(isForeign))
}

/** An environment in which a driver's program prints English, so that its output can be parsed. */
export function toEnglishEnvironment(env: Env, locale: 'C' | 'C.UTF-8'): Env {
  return { ...removeOwnVariables(env), LC_ALL: locale, LANGUAGE: undefined }
}

export function hasSucceeded(result: ProgramResult): boolean {
  return result.by === 'exit' && result.status === 0
}

export function getLastOutput(output: string): string {
  const line = output.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return line.slice(-maxErrorLength).toWellFormed().trim()
}

export function describeResult(name: string, result: ProgramResult): string {
  const output = getLastOutput(`${result.stdout}\n${result.stderr}`)
  const end = describeEnd(result)
  return output === '' ? `${name}: ${end}.` : `${name}: ${end}: ${output}`
}

export function addAdvice(sentence: string, advice: string | undefined): string {
  if (advice === undefined) return sentence
  return `${sentence}${/[.!?]$/.test(sentence) ? '' : '.'} ${advice}`
}

function describeEnd(result: ProgramResult): string {
  if (result.by === 'exit') return `exit status ${result.status}`
  return result.by === 'signal' ? `killed by ${result.signal}` : result.reason
}

/** Returns a phone number that no driver program can mistake for an option. Throws `fail`. */
export function requirePlainNumber(destination: string): string {
  if (/^\+?\d{1,20}$/.test(destination)) return destination
  throw new DriverError('fail', `${JSON.stringify(destination)} is not a phone number.`)
}

/** An option that becomes a program's argument, and must not begin with `-`. */
export function word(notes: Parameters<typeof text>[0] = {}): DriverOption<string | undefined> {
  const parse = (given: string, name: string): string => {
    const typed = given.trim()
    if (/^[^-\p{Cc}][^\p{Cc}]*$/u.test(typed)) return typed
    const shown = JSON.stringify(typed)
    const message = `${name} must not begin with - or contain control characters; not ${shown}.`
    throw new RelayError('usage', message)
  }
  return parsed(parse, notes)
}

export function createNeverSignal(): AbortSignal {
  return new AbortController().signal
}
