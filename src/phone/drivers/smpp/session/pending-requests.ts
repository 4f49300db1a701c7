import type { Clock } from '../../../../util/async/clock.js'
import { type CommandName, commands, genericNack, type Pdu, responseBit } from '../pdu/pdu.js'
import { SmppError } from './smpp-error.js'

interface PendingRequest {
  readonly command: CommandName
  readonly deadline: number
  /** The number of the write to the connection that sends it. */
  readonly write: number
  readonly resolve: (response: Pdu) => void
  readonly reject: (error: SmppError) => void
  readonly signal: AbortSignal | undefined
  readonly stop: () => void
}

/** Requests without a response, in the order in which they were sent; one timer for all. */
export class PendingRequests {
  readonly #clock: Clock
  readonly #timeout: number
  readonly #requests = new Map<number, PendingRequest>()
  #cancelTimer: (() => void) | undefined

  /** @param timeout milliseconds to wait for each response */
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
      const stop = () => this.#fail(sequence, new SmppError({ by: 'stop' }, command))
      const deadline = this.#clock.monotonic() + this.#timeout
      this.#requests.set(sequence, { command, deadline, write, resolve, reject, signal, stop })
      signal?.addEventListener('abort', stop, { once: true })
      if (signal?.aborted === true) stop()
      else this.#startTimer(this.#timeout)
    })
  }

  /** Settles the request of a response; a response of another command is ignored. */
  settle(response: Pdu): void {
    const request = this.#requests.get(response.sequence)
    if (request === undefined) return
    const expected = commands[request.command] + responseBit
    if (response.command !== expected && response.command !== genericNack) return
    this.#forget(response.sequence, request)
    request.resolve(response)
  }

  /** Fails all requests; those of an earlier write may have reached the SMSC. */
  failAll(reason: string, currentWrite: number): void {
    this.#cancelTimer?.()
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

  #forget(sequence: number, { signal, stop }: PendingRequest): void {
    this.#requests.delete(sequence)
    signal?.removeEventListener('abort', stop)
    if (this.#requests.size > 0) return
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
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
