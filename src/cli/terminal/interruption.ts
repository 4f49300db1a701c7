import { exitCodes } from './exit-codes.js'
import type { EndSignal, Io } from './io.js'

/** Thrown, and reported with exit code 130, when a person or a supervisor ended the command. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor(message = 'Interrupted.') {
    super(message)
  }
}

/** The wish of a person or a supervisor to end a command. */
export interface Interruption {
  /** Aborted by the first signal, and when the reader of stdout goes away. */
  readonly signal: AbortSignal
  /** Aborted by the second signal, for a command that has something to save; the third ends the process. */
  readonly force: AbortSignal
  /** Stops listening. */
  dispose(): void
}

/**
 * Milliseconds in which a further signal is the same wish: `npm start` passes on the Ctrl-C that the terminal has
 * sent to everyone already, and the library that saves profiles raises each signal once more.
 */
const echoWindow = 300

const endSignals: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Listens for SIGINT, SIGTERM and SIGHUP; the second ends the process unless `force` was asked for. */
export function listenForInterruption(io: Io): Interruption {
  let last = Number.NEGATIVE_INFINITY
  const soft = new AbortController()
  let hard: AbortController | undefined
  const onSignal = () => {
    const now = io.now()
    const isEcho = now - last < echoWindow
    last = now
    if (isEcho) return
    if (!soft.signal.aborted) soft.abort(new Interrupted())
    else if (hard?.signal.aborted === false) hard.abort(new Interrupted())
    else io.forceExit(exitCodes.interrupted)
  }
  const onStreamError = (error: Error) => {
    if (isBrokenPipe(error)) soft.abort(error)
  }
  for (const name of endSignals) io.signals.on(name, onSignal)
  io.stdout.on('error', onStreamError)
  return {
    signal: soft.signal,
    get force() {
      hard ??= new AbortController()
      return hard.signal
    },
    dispose() {
      for (const name of endSignals) io.signals.off(name, onSignal)
      io.stdout.off('error', onStreamError)
    },
  }
}

/** Whether the reader of a pipe went away. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}
