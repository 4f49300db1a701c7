import type { Clock } from '../../util/async/clock.js'
import { exitCodes } from './exit-codes.js'
import type { EndSignal, Io } from './io.js'

/** Thrown when Ctrl-C in the terminal or a signal ended the command; its exit code is 130. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly fields: Readonly<Record<string, string>>

  constructor(message = 'Interrupted.', fields: Readonly<Record<string, string>> = {}) {
    super(message)
    this.fields = fields
  }
}

export interface Interruption {
  /**
   * Aborted in the terminal by Ctrl-C, SIGTERM or SIGHUP, and when the reader of stdout closes the
   * pipe.
   */
  readonly signal: AbortSignal
  /**
   * Aborted by the second Ctrl-C in the terminal or signal; the third ends the process. For
   * commands that save state.
   */
  readonly force: AbortSignal
  dispose(): void
}

/**
 * Milliseconds in which a further signal is a repetition: `npm start` forwards a Ctrl-C that the
 * terminal has already sent to every process, and conf raises each signal once more.
 */
const echoWindow = 300

export const endSignals: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Listens for Ctrl-C in the terminal (SIGINT), SIGTERM and SIGHUP; the second ends the process
 * unless `force` is in use.
 */
export function listenForInterruption(
  io: Io,
  names: readonly EndSignal[] = endSignals,
): Interruption {
  const isEcho = createEchoFilter(io.clock)
  const interrupt = new AbortController()
  let force: AbortController | undefined
  const onSignal = () => {
    if (isEcho()) return
    if (!interrupt.signal.aborted) interrupt.abort(new Interrupted())
    else if (force?.signal.aborted === false) force.abort(new Interrupted())
    else io.forceExit(exitCodes.interrupted)
  }
  const onStreamError = (error: Error) => {
    if (isBrokenPipe(error)) interrupt.abort(error)
  }
  for (const name of names) io.signals.on(name, onSignal)
  io.stdout.on('error', onStreamError)
  return {
    signal: interrupt.signal,
    get force() {
      force ??= new AbortController()
      return force.signal
    },
    dispose() {
      for (const name of names) io.signals.off(name, onSignal)
      io.stdout.off('error', onStreamError)
    },
  }
}

/**
 * Creates a function that is called at each signal in the terminal and returns whether the signal
 * repeats the one before. A busy event loop delivers a repetition late, so the time counts from
 * when the loop has turned.
 */
export function createEchoFilter({ monotonic }: Pick<Clock, 'monotonic'>): () => boolean {
  let last = Number.NEGATIVE_INFINITY
  const restart = (): void => {
    last = monotonic()
  }
  return () => {
    const isEcho = monotonic() - last < echoWindow
    restart()
    setImmediate(() => {
      restart()
      setImmediate(restart)
    })
    return isEcho
  }
}

export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}
