import type { Clock } from '../../../../util/async/clock.js'
import { type CommandName, commands, genericNack, type Pdu, responseBit } from '../pdu/pdu.js'
import { SmppError } from './smpp-error.js'

interface PendingRequest {
  readonly command: CommandName
  readonly deadline: number
  readonly write: number
  readonly resolve: (response: Pdu) => void
  readonly reject: (error: SmppError) => void
  readonly signal: AbortSignal | undefined
}

/** Requests without a response, in the order in which they were sent; one timer for all. */
export class PendingRequests {
  readonly #clock: Clock
  readonly #timeout: number
  readonly #requests = new Map<number, PendingRequest>()
  readonly #signals = new StopSignals(signal => this.#failStopped(signal))
  #cancelTimer: (() => void) | undefined

  constructor(clock: Clock, timeout: number) {
    this.#clock = clock
    this.#timeout = timeout
  }

  get size(): number {
    return this.#requests.size
  }

  has(sequence: number): boolean {
    return this.#requests.has(sequence)
  }

  /**
   * Waits for the response to a request, also one with an error status. Throws {@link SmppError}
   * after the time limit, when the signal is aborted, and for {@link failAll}.
   */
  wait(
    command: CommandName,
    sequence: number,
    write: number,
    signal: AbortSignal | undefined,
  ): Promise<Pdu> {
    return new Promise<Pdu>((resolve, reject) => {
      const deadline = this.#clock.monotonic() + this.#timeout
      this.#requests.set(sequence, { command, deadline, write, resolve, reject, signal })
      if (signal !== undefined) this.#signals.add(signal)
      if (signal?.aborted === true) this.#failStopped(signal)
      else this.#startTimer(this.#timeout)
    })
  }

  settle(response: Pdu): void {
    const request = this.#requests.get(response.sequence)
    if (request === undefined) return
    const expected = commands[request.command] + responseBit
    if (response.command !== expected && response.command !== genericNack) return
    this.#forget(response.sequence, request)
    request.resolve(response)
  }

  failAll(reason: string, currentWrite: number): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    for (const [sequence, { command, write }] of this.#requests) {
      const isSent = write < currentWrite
      this.#fail(sequence, new SmppError({ by: 'connection', reason, isSent }, command))
    }
  }

  #fail(sequence: number, error: SmppError): void {
    const request = this.#requests.get(sequence)
    if (request === undefined) return
    this.#forget(sequence, request)
    request.reject(error)
  }

  #failStopped(stopped: AbortSignal): void {
    for (const [sequence, { command, signal }] of this.#requests) {
      if (signal === stopped) this.#fail(sequence, new SmppError({ by: 'stop' }, command))
    }
  }

  #forget(sequence: number, { signal }: PendingRequest): void {
    this.#requests.delete(sequence)
    if (signal !== undefined) this.#signals.remove(signal)
  }

  #startTimer(milliseconds: number): void {
    this.#cancelTimer ??= this.#clock.after(milliseconds, () => this.#failLate())
  }

  #failLate(): void {
    this.#cancelTimer = undefined
    const now = this.#clock.monotonic()
    for (const [sequence, { deadline, command }] of this.#requests) {
      if (deadline > now) {
        this.#startTimer(deadline - now)
        return
      }
      this.#fail(sequence, new SmppError({ by: 'silence' }, command))
    }
  }
}

class StopSignals {
  readonly #onStop: (signal: AbortSignal) => void
  readonly #uses = new Map<AbortSignal, { count: number; readonly stop: () => void }>()

  constructor(onStop: (signal: AbortSignal) => void) {
    this.#onStop = onStop
  }

  add(signal: AbortSignal): void {
    const known = this.#uses.get(signal)
    if (known !== undefined) {
      known.count += 1
      return
    }
    const stop = () => this.#onStop(signal)
    this.#uses.set(signal, { count: 1, stop })
    signal.addEventListener('abort', stop, { once: true })
  }

  remove(signal: AbortSignal): void {
    const known = this.#uses.get(signal)
    if (known === undefined) return
    known.count -= 1
    if (known.count > 0) return
    this.#uses.delete(signal)
    signal.removeEventListener('abort', known.stop)
  }
}
