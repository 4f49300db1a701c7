import type { Socket } from 'node:net'
import { PDU, type Pdu, Session } from 'smpp'
import type { Clock } from '../../../util/async/clock.js'
import { SmppError } from './smpp-error.js'
import type { PduFields } from './submit-sm.js'

export interface SmppSessionOptions {
  readonly clock: Clock
  /** Milliseconds to wait for the SMSC's response. */
  readonly timeout: number
  /** Handles a deliver_sm or data_sm; if it rejects, the SMSC should deliver it again. */
  readonly onDeliver: (pdu: Pdu) => Promise<void>
  readonly onClosed: () => void
}

interface PendingRequest {
  readonly succeed: (response: Pdu) => void
  readonly fail: (error: SmppError) => void
}

/** SMPP requests for received texts and receipts (SMPP 3.4 sections 4.6 and 4.7). */
const deliverCommands = new Set(['deliver_sm', 'data_sm'])

/** ESME_RX_T_APPN: a temporary error of the receiver (SMPP 3.4 section 5.1.3). */
const temporaryError = 0x64

/** SMPP requests without a response (SMPP 3.4 sections 4.1.7 and 4.12). */
const oneWayCommands = new Set(['outbind', 'alert_notification'])

/** Milliseconds. */
const unbindTimeout = 2000

/** One connection to an SMSC: requests with responses in any order, and requests of the SMSC. */
export class SmppSession {
  readonly #session: Session
  readonly #options: SmppSessionOptions
  readonly #pending = new Map<number, PendingRequest>()
  readonly #ended = new AbortController()
  #reason = 'closed by the other side'

  constructor(socket: Socket, options: SmppSessionOptions) {
    this.#options = options
    this.#session = new Session({ socket })
    this.#session.on('pdu', (pdu: Pdu) => this.#handlePdu(pdu))
    this.#session.on('error', (error: Error) => this.end(error.message))
    this.#session.on('close', () => this.end('closed by the other side'))
    socket.once('end', () => this.end('closed by the other side'))
  }

  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /** The reason, once the connection to the SMSC is closed. */
  get reason(): string {
    return this.#reason
  }

  get isOpen(): boolean {
    return !this.#ended.signal.aborted
  }

  /** Sends an SMPP request and waits for its response. Throws {@link SmppError}. */
  async request(
    command: string,
    fields: PduFields,
    { timeout = this.#options.timeout, signal }: { timeout?: number; signal?: AbortSignal } = {},
  ): Promise<Pdu> {
    const pdu = new PDU(command, fields)
    if (!this.isOpen || !this.#session.send(pdu)) throw this.#connectionError(command, false)
    const response = await this.#waitForResponse(pdu, timeout, signal)
    if (response.command_status === 0) return response
    throw new SmppError({ by: 'status', status: response.command_status }, command)
  }

  /** Sends enquire_link at this interval, and ends the session when there is no response. */
  async keepAlive(interval: number): Promise<void> {
    while (this.isOpen) {
      await this.#options.clock.sleep(interval, this.#ended.signal)
      try {
        if (this.isOpen) await this.request('enquire_link', {})
      } catch (error) {
        const isRefused = error instanceof SmppError && error.failure.by === 'status'
        if (!isRefused) this.end('enquire_link was not answered')
      }
    }
  }

  async unbind(): Promise<void> {
    const isAnswered = await this.request('unbind', {}, { timeout: unbindTimeout }).then(
      () => true,
      () => false,
    )
    this.end('unbound', isAnswered)
  }

  /** Closes the connection to the SMSC, after pending writes if `gently`; pending requests fail. */
  end(reason: string, gently = false): void {
    if (!this.isOpen) return
    this.#reason = reason
    this.#ended.abort()
    if (gently) this.#session.socket.destroySoon()
    else this.#session.socket.destroy()
    for (const { fail } of this.#pending.values()) fail(this.#connectionError('', true))
    this.#pending.clear()
    this.#options.onClosed()
  }

  async #waitForResponse(pdu: Pdu, timeout: number, signal?: AbortSignal): Promise<Pdu> {
    const { command, sequence_number: number } = pdu
    return await new Promise<Pdu>((resolve, reject) => {
      const settle = (settled: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
        this.#pending.delete(number)
        settled()
      }
      const fail = (error: SmppError) => settle(() => reject(error))
      const stop = () => fail(new SmppError({ by: 'stop' }, command))
      const timer = setTimeout(() => fail(new SmppError({ by: 'silence' }, command)), timeout)
      this.#pending.set(number, { fail, succeed: response => settle(() => resolve(response)) })
      signal?.addEventListener('abort', stop, { once: true })
      if (signal?.aborted === true) stop()
    })
  }

  #handlePdu(pdu: Pdu): void {
    if (pdu.isResponse()) this.#pending.get(pdu.sequence_number)?.succeed(pdu)
    else if (!oneWayCommands.has(pdu.command)) this.#answer(pdu)
  }

  #answer(pdu: Pdu): void {
    if (deliverCommands.has(pdu.command)) {
      void this.#handleDelivery(pdu)
      return
    }
    this.#session.send(pdu.response())
    if (pdu.command === 'unbind') this.end('the SMSC has unbound', true)
  }

  async #handleDelivery(pdu: Pdu): Promise<void> {
    const status = await this.#options.onDeliver(pdu).then(
      () => 0,
      () => temporaryError,
    )
    if (this.isOpen) this.#session.send(pdu.response({ command_status: status }))
  }

  #connectionError(command: string, isSent: boolean): SmppError {
    return new SmppError({ by: 'connection', reason: this.#reason, isSent }, command)
  }
}
