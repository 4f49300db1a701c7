import type { Socket } from 'node:net'
import { PDU, type Pdu, Session } from 'smpp'
import type { Clock } from '../../../util/async/clock.js'
import { SmppError } from './smpp-error.js'
import type { PduFields } from './submit-sm.js'

/** What a session needs to know beside its socket. */
export interface SmppSessionOptions {
  readonly clock: Clock
  /** Milliseconds that an answer to enquire_link, bind and unbind is waited for. */
  readonly timeout: number
  /** Takes deliver_sm and data_sm, which are answered when it has; when it rejects, the SMSC is asked to come again. */
  readonly delivered: (pdu: Pdu) => Promise<void>
  readonly closed: () => void
}

interface PendingRequest {
  readonly answered: (pdu: Pdu) => void
  readonly lost: (fault: SmppError) => void
}

/** Commands the other side may send that are taken as deliveries (SMPP 3.4 sections 4.6 and 4.7). */
const deliverCommands = new Set(['deliver_sm', 'data_sm'])

/** ESME_RX_T_APPN: a temporary error of the application that receives (SMPP 3.4 section 5.1.3). */
const temporaryError = 0x64

/** Commands that have no answer (SMPP 3.4 sections 4.1.7 and 4.12). */
const oneWayCommands = new Set(['outbind', 'alert_notification'])

/** One connection to an SMSC: requests with their answers in any order, and what the SMSC asks by itself. */
export class SmppSession {
  readonly #session: Session
  readonly #options: SmppSessionOptions
  readonly #waiting = new Map<number, PendingRequest>()
  readonly #ended = new AbortController()
  #reason = 'closed by the other side'

  constructor(socket: Socket, options: SmppSessionOptions) {
    this.#options = options
    this.#session = new Session({ socket })
    this.#session.on('pdu', (pdu: Pdu) => this.#take(pdu))
    this.#session.on('error', (error: Error) => this.end(error.message))
    this.#session.on('close', () => this.end('closed by the other side'))
    socket.once('end', () => this.end('closed by the other side'))
  }

  /** Aborted when the line is gone. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /** Why the line is gone. */
  get reason(): string {
    return this.#reason
  }

  /** Whether requests can still be made. */
  get open(): boolean {
    return !this.#ended.signal.aborted
  }

  /**
   * Sends a PDU and waits for its answer for so many milliseconds. Throws {@link SmppFault}: a refusal, no answer, a
   * line that was lost, or an aborted signal.
   */
  async request(
    command: string,
    fields: PduFields,
    { timeout = this.#options.timeout, signal }: { timeout?: number; signal?: AbortSignal } = {},
  ): Promise<Pdu> {
    const pdu = new PDU(command, fields)
    if (!this.open || !this.#session.send(pdu)) throw this.#lineFault(command, false)
    const answer = await this.#answerTo(pdu, timeout, signal)
    if (answer.command_status === 0) return answer
    throw new SmppError({ by: 'status', status: answer.command_status }, command)
  }

  /** Asks every so many milliseconds whether the SMSC is there, and gives the line up when it does not answer. */
  async keepAlive(interval: number): Promise<void> {
    while (this.open) {
      await this.#options.clock.sleep(interval, this.#ended.signal)
      try {
        if (this.open) await this.request('enquire_link', {})
      } catch (error) {
        const refused = error instanceof SmppError && error.fault.by === 'status'
        if (!refused) this.end('enquire_link was not answered')
      }
    }
  }

  /** Says goodbye, and closes the line. */
  async unbind(): Promise<void> {
    const said = await this.request('unbind', {}, { timeout: 2000 }).then(
      () => true,
      () => false,
    )
    this.end('unbound', said)
  }

  /** Closes the line, after what was written if so asked; whoever waits is told. */
  end(reason: string, gently = false): void {
    if (!this.open) return
    this.#reason = reason
    this.#ended.abort()
    if (gently) this.#session.socket.destroySoon()
    else this.#session.socket.destroy()
    for (const { lost } of this.#waiting.values()) lost(this.#lineFault('', true))
    this.#waiting.clear()
    this.#options.closed()
  }

  async #answerTo(pdu: Pdu, timeout: number, signal?: AbortSignal): Promise<Pdu> {
    const { command, sequence_number: number } = pdu
    return await new Promise<Pdu>((resolve, reject) => {
      const settle = (settled: () => void) => {
        clearTimeout(late)
        signal?.removeEventListener('abort', stop)
        this.#waiting.delete(number)
        settled()
      }
      const lost = (fault: SmppError) => settle(() => reject(fault))
      const stop = () => lost(new SmppError({ by: 'stop' }, command))
      const late = setTimeout(() => lost(new SmppError({ by: 'silence' }, command)), timeout)
      this.#waiting.set(number, { lost, answered: answer => settle(() => resolve(answer)) })
      signal?.addEventListener('abort', stop, { once: true })
      if (signal?.aborted === true) stop()
    })
  }

  #take(pdu: Pdu): void {
    if (pdu.isResponse()) this.#waiting.get(pdu.sequence_number)?.answered(pdu)
    else if (!oneWayCommands.has(pdu.command)) this.#serve(pdu)
  }

  #serve(pdu: Pdu): void {
    if (deliverCommands.has(pdu.command)) {
      void this.#deliver(pdu)
      return
    }
    this.#session.send(pdu.response())
    if (pdu.command === 'unbind') this.end('the SMSC has unbound', true)
  }

  async #deliver(pdu: Pdu): Promise<void> {
    const status = await this.#options.delivered(pdu).then(
      () => 0,
      () => temporaryError,
    )
    if (this.open) this.#session.send(pdu.response({ command_status: status }))
  }

  #lineFault(command: string, handedOver: boolean): SmppError {
    return new SmppError({ by: 'line', reason: this.#reason, handedOver }, command)
  }
}
