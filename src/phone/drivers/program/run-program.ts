import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { getErrorCode } from '../../../errors.js'
import { runWithSignal } from '../../../util/async/abort.js'
import type { Clock } from '../../../util/async/clock.js'
import { DriverError } from '../../driver-port/driver.js'
import type { Env } from '../../driver-port/driver-options.js'

interface ProgramOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Env
  /** Milliseconds that a driver's program may run. */
  readonly timeout: number
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Written to stdin of the driver's program. @default empty */
  readonly input?: string
  /** Characters to read from the beginning of the program's stdout. @default 4000 */
  readonly maxOutput?: number
}

/** How a driver's program ended; `stop`: this process ended it. */
type ProgramEnd =
  | { readonly by: 'exit'; readonly status: number }
  | { readonly by: 'signal'; readonly signal: string }
  | { readonly by: 'stop'; readonly reason: string }

export type ProgramResult = ProgramEnd & { readonly stdout: string; readonly stderr: string }

const isWindows = process.platform === 'win32'

/** Characters of stdout (by default) and of stderr. */
const defaultMaxOutput = 4000
/** Milliseconds from SIGTERM to SIGKILL of a driver's program. */
const killDelay = 2000
/**
 * Milliseconds to wait for a driver program's output after its end; a background process may keep
 * stdout open.
 */
const drainTime = 200

/**
 * Runs a driver's program without a shell. It has a process group of its own, so a Ctrl-C on the
 * terminal does not reach it, and a stop reaches all its children. Throws {@link DriverError} if it
 * did not start.
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramResult> {
  const { signal, clock, input, maxOutput = defaultMaxOutput } = options
  if (signal.aborted) throw new DriverError('trouble', 'Stopped before the program ran.')
  const child = await startProgram(options)
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  const stdout = collectOutput(child.stdout, text => text.slice(0, maxOutput))
  const stderr = collectOutput(child.stderr, text => text.slice(-defaultMaxOutput))
  writeInput(child, input)
  const end = await waitForEnd(child, options)
  await waitAtMost(closed, drainTime, clock)
  detachChild(child)
  return { ...end, stdout: stdout(), stderr: stripVTControlCharacters(stderr()) }
}

function startProgram({ program, args, env, input }: ProgramOptions): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(startError(program, error))
    try {
      const stdio: StdioOptions = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe']
      const child = spawn(program, args, { env, stdio, detached: !isWindows, windowsHide: true })
      child.on('error', fail)
      child.once('spawn', () => resolve(child))
    } catch (error) {
      fail(error)
    }
  })
}

function startError(program: string, error: unknown): DriverError {
  const code = getErrorCode(error)
  const cause = { cause: error }
  if (code === 'ENOENT') return new DriverError('trouble', `There is no program ${program}.`, cause)
  if (code === 'EACCES') {
    return new DriverError('trouble', `The program ${program} may not be executed.`, cause)
  }
  if (code === 'E2BIG' || code === 'ERR_INVALID_ARG_VALUE') {
    return new DriverError('fail', 'The text cannot be passed to a program.', cause)
  }
  return new DriverError('trouble', `The program ${program} did not start (${code}).`, cause)
}

/** A driver's program may end without reading its input. */
function writeInput({ stdin }: ChildProcess, input: string | undefined): void {
  stdin?.on('error', () => {})
  stdin?.end(input)
}

function collectOutput(stream: Readable | null, limit: (text: string) => string): () => string {
  let text = ''
  stream?.setEncoding('utf8')
  stream?.on('error', () => {})
  stream?.on('data', (chunk: string) => {
    text = limit(text + chunk)
  })
  return () => text
}

async function waitForEnd(child: ChildProcess, options: ProgramOptions): Promise<ProgramEnd> {
  const exited = new Promise<ProgramEnd>(resolve => {
    child.once('exit', (status, signal) => {
      resolve(status === null ? { by: 'signal', signal: `${signal}` } : { by: 'exit', status })
    })
  })
  const done = new AbortController()
  const end = await Promise.race([exited, waitForStop(options, done.signal)])
  done.abort()
  if (end.by === 'stop') await killGroup(child, exited, options.clock)
  return end
}

async function waitForStop(
  { timeout, signal, clock }: ProgramOptions,
  done: AbortSignal,
): Promise<ProgramEnd> {
  await runWithSignal([signal, done], either => clock.sleep(timeout, either))
  const reason = signal.aborted ? 'stopped before it ended' : `not ended after ${timeout / 1000} s`
  return { by: 'stop', reason }
}

async function killGroup(
  child: ChildProcess,
  exited: Promise<ProgramEnd>,
  clock: Clock,
): Promise<void> {
  signalGroup(child, 'SIGTERM')
  await waitAtMost(exited, killDelay, clock)
  signalGroup(child, 'SIGKILL')
  await waitAtMost(exited, killDelay, clock)
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (isWindows || child.pid === undefined) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // The program's process group has ended already.
  }
}

async function waitAtMost(
  promise: Promise<unknown>,
  milliseconds: number,
  clock: Clock,
): Promise<void> {
  const done = new AbortController()
  await Promise.race([promise, clock.sleep(milliseconds, done.signal)])
  done.abort()
}

/** Output that a driver's background process may still write must not keep this process running. */
function detachChild(child: ChildProcess): void {
  child.unref()
  child.stdin?.destroy()
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref()
}
