// The streams, environment and signals of a command, and how it reads and prints:
//
// - `io` represents the process; tests pass their own.
// - Input: `stdin` (a pipe), `rereadable-file`, `prompt` (questions to a person), `read-password`
//   and `keypress`; `parse-values` parses the values of flags.
// - Output: `terminal-text` removes control characters and aligns columns, `durations` formats
//   ages, and `exit-codes` maps an error code to the exit code.
// - `interruption` turns Ctrl-C, SIGTERM and SIGHUP into an abort signal.
//
// Results go to stdout. Errors, notes and questions go to stderr.
import type { Readable, Writable } from 'node:stream'
import { type Clock, createClock } from '../../util/async/clock.js'
import { cleanOutput } from './terminal-text.js'

export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

export interface SignalSource {
  on(signal: EndSignal, listener: () => void): unknown
  off(signal: EndSignal, listener: () => void): unknown
  /** Acts as if the signal had arrived: a terminal in raw mode delivers Ctrl-C as a key. */
  emit(signal: EndSignal): unknown
}

export type Input = Readable & { readonly isTTY?: boolean | undefined }
export type Output = Writable & {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

export interface Io {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signals: SignalSource
  readonly clock: Clock
  setExitCode(code: number): void
  forceExit(code: number): void
}

export function shouldUseColor(stream: Output, env: Io['env']): boolean {
  if (stream.isTTY !== true || env.NO_COLOR || env.TERM === 'dumb') return false
  return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
}

/**
 * Writes text for people. Every command prints with it: what is no style of its own, such as an
 * escape sequence in a received text, cannot change the terminal.
 */
export function print(stream: Output, text: string, env: Io['env']): boolean {
  return stream.write(cleanOutput(text, shouldUseColor(stream, env)))
}

/**
 * Standard streams and environment of the command. Streams are getters, because opening them takes
 * time.
 */
export const processIo: Io = {
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  get env() {
    return process.env
  },
  signals: process,
  clock: createClock(),
  setExitCode(code) {
    process.exitCode = code
  },
  forceExit(code) {
    process.exit(code)
  },
}
