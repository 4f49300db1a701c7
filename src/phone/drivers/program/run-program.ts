import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { runWithSignal } from '../../../util/async/abort.js'
import { pause } from '../../../util/async/clock.js'
import { DriverError } from '../../driver-port/driver.js'

/** A program to run, and how long it may take. */
export interface ProgramOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal
  /** What the program reads on stdin. @default nothing */
  readonly input?: string
  /** Characters that are kept of the beginning of stdout. @default 4000 */
  readonly keep?: number
  /** Milliseconds from SIGTERM to SIGKILL. @default 2000 */
  readonly killAfter?: number
  /** Milliseconds that output is waited for after the end, as a process left behind may hold it open. @default 200 */
  readonly drain?: number
}

/** How a program ended: by itself, by somebody's signal, or because it was stopped here. */
export type ProgramEnd =
  | { readonly by: 'exit'; readonly status: number }
  | { readonly by: 'signal'; readonly signal: string }
  | { readonly by: 'stop'; readonly reason: string }

/** How a program ended, the beginning of what it said and the end of what it complained of. */
export type ProgramResult = ProgramEnd & { readonly stdout: string; readonly stderr: string }

const isWindows = process.platform === 'win32'

/** Characters that are kept of the beginning of stdout and of the end of stderr. */
const maxOutput = 4000

/**
 * Runs a program without a shell in a process group of its own, so that a Ctrl-C on the terminal does not reach it
 * and a stop reaches all it has started. Throws {@link DriverError} when it did not start.
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramResult> {
  if (options.signal.aborted) throw new DriverError('trouble', 'Stopped before the program ran.')
  const child = await startProgram(options)
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  const most = options.keep ?? maxOutput
  const stdout = collectOutput(child.stdout, text => text.slice(0, most))
  const stderr = collectOutput(child.stderr, text => text.slice(-maxOutput))
  writeInput(child, options.input)
  const end = await waitForEnd(child, options)
  await waitAtMost(closed, options.drain ?? 200)
  detachChild(child)
  return { ...end, stdout: stdout(), stderr: stripVTControlCharacters(stderr()) }
}

function startProgram({ program, args, env, input }: ProgramOptions): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown) => reject(startError(program, error))
    try {
      const stdio: StdioOptions = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe']
      const child = spawn(program, args, { env, stdio, detached: !isWindows, windowsHide: true })
      child.on('error', refuse)
      child.once('spawn', () => resolve(child))
    } catch (error) {
      refuse(error)
    }
  })
}

function startError(program: string, error: unknown): DriverError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const cause = { cause: error }
  if (code === 'ENOENT') return new DriverError('trouble', `There is no program ${program}.`, cause)
  if (code === 'EACCES') {
    return new DriverError('trouble', `The program ${program} may not be executed.`, cause)
  }
  if (code === 'E2BIG' || code === 'ERR_INVALID_ARG_VALUE') {
    return new DriverError('fail', 'The text cannot be handed to a program.', cause)
  }
  return new DriverError('trouble', `The program ${program} did not start (${code}).`, cause)
}

/** A program may end without reading. */
function writeInput({ stdin }: ChildProcess, input: string | undefined): void {
  stdin?.on('error', () => {})
  stdin?.end(input)
}

function collectOutput(stream: Readable | null, cut: (text: string) => string): () => string {
  let text = ''
  stream?.setEncoding('utf8')
  stream?.on('error', () => {})
  stream?.on('data', (chunk: string) => {
    text = cut(text + chunk)
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
  if (end.by === 'stop') await killGroup(child, exited, options.killAfter ?? 2000)
  return end
}

async function waitForStop(
  { timeout, signal }: ProgramOptions,
  done: AbortSignal,
): Promise<ProgramEnd> {
  await runWithSignal([signal, done], either => pause(timeout, either))
  const reason = signal.aborted ? 'stopped before it ended' : `not ended after ${timeout / 1000} s`
  return { by: 'stop', reason }
}

/** Whatever else the program has started goes with it. */
async function killGroup(
  child: ChildProcess,
  exited: Promise<ProgramEnd>,
  after: number,
): Promise<void> {
  signalGroup(child, 'SIGTERM')
  await waitAtMost(exited, after)
  signalGroup(child, 'SIGKILL')
  await waitAtMost(exited, after)
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (isWindows || child.pid === undefined) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // The group is gone already.
  }
}

async function waitAtMost(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  const done = new AbortController()
  await Promise.race([promise, pause(milliseconds, done.signal)])
  done.abort()
}

/** Output that a background process may still write is read and dropped, and keeps nothing alive. */
function detachChild(child: ChildProcess): void {
  child.unref()
  child.stdin?.destroy()
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref()
}
