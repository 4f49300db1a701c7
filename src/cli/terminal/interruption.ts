import { exitCodes } from './exit-codes.js'
import type { EndSignal, Io } from './io.js'

/** Thrown when a signal ended the command; its exit code is 130. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor(message = 'Interrupted.') {
    super(message)
  }
}

/** The abort signals of a running command. */
export interface Interruption {
  /** Aborted by the first signal, and when the reader of stdout closes the pipe. */
  readonly signal: AbortSignal
  /** Aborted by the second signal; the third ends the process. For commands that save state. */
  readonly force: AbortSignal
  dispose(): void
}

/**
 * Milliseconds in which a further signal is a repetition: `npm start` forwards a Ctrl-C that the
 * terminal has already sent to every process, and conf raises each signal once more.
 */
const echoWindow = 300

const endSignals: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Listens for SIGINT, SIGTERM and SIGHUP; the second ends the process unless `force` is in use. */
export function listenForInterruption(io: Io): Interruption {
  let last = Number.NEGATIVE_INFINITY
  const soft = new AbortController()
  let hard: AbortController | undefined
  const onSignal = () => {
    const now = io.clock.monotonic()
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

/** Whether a write failed because the reader closed the pipe (EPIPE). */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}
