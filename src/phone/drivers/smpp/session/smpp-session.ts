// The connection to an SMSC and its bind.
//
// 1. smpp-bind.ts binds when a session is needed, to the first host that accepts (smpp-connect.ts).
// 2. `SmppSession` writes requests; those of one turn of the event loop go out in one write.
// 3. pending-requests.ts pairs them with responses and limits how long they wait.
// 4. Requests of the SMSC are answered; texts when they are stored.
// 5. smpp-error.ts gives failed requests their meaning for the message.

import type { Socket } from 'node:net'
import type { Clock } from '../../../../util/async/clock.js'
import { type CommandName, commands, genericNack, type Pdu, responseBit } from '../pdu/pdu.js'
import { PduReader } from '../pdu/pdu-reader.js'
import { PduWriter } from '../pdu/pdu-writer.js'
import { responseStatuses } from '../pdu/smpp-status.js'
import { PendingRequests } from './pending-requests.js'
import { SmppError } from './smpp-error.js'

export interface SmppSessionOptions {
  readonly clock: Clock
  /** Milliseconds to wait for the SMSC's response. */
  readonly timeout: number
  /** Handles a deliver_sm or data_sm; resolves with the status of the response. */
  readonly onDeliver: (pdu: Pdu) => Promise<number>
  /** The session takes no more requests. */
  readonly onClosed: () => void
}

/** Milliseconds. */
const unbindTimeout = 2000
/** Texts of the SMSC that are not stored yet; it delivers more again later. */
const maxDeliveries = 1000
/** Octets that the SMSC does not read. */
const maxUnsent = 4 * 1024 * 1024
const flushAt = 65_536

/** One connection to an SMSC: requests with responses in any order, and requests of the SMSC. */
export class SmppSession {
  readonly #socket: Socket
  readonly #options: SmppSessionOptions
  readonly #reader = new PduReader()
  readonly #writer = new PduWriter()
  readonly #pending: PendingRequests
  readonly #ended = new AbortController()
  readonly #receive = (pdu: Pdu) => this.#handlePdu(pdu)
  #reason = 'closed by the other side'
  #sequence = 0
  #writes = 0
  #isFlushing = false
  #isFinished = false
  #deliveries = 0

  constructor(socket: Socket, options: SmppSessionOptions) {
    this.#options = options
    this.#socket = socket
    this.#pending = new PendingRequests(options.clock, options.timeout)
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', (error: Error) => this.end(error.message))
    socket.once('close', () => this.end('closed by the other side'))
    socket.once('end', () => this.end('closed by the other side'))
  }

  /** Aborted when the session takes no more requests. */
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

  /**
   * Sends an SMPP request and waits for its response; requests of one turn of the event loop are
   * written together. Throws {@link SmppError}.
   */
  async request(
    command: CommandName,
    writeBody: (writer: PduWriter) => void = () => {},
    signal?: AbortSignal,
  ): Promise<Pdu> {
    if (!this.isOpen) throw this.#connectionError(command, false)
    const sequence = this.#takeSequence()
    this.#writer.begin(commands[command], 0, sequence)
    writeBody(this.#writer)
    this.#writer.end()
    const answered = this.#pending.wait(command, sequence, this.#writes, signal)
    this.#scheduleFlush()
    const response = await answered
    const { status } = response
    if (response.command === genericNack) throw new SmppError({ by: 'nack', status }, command)
    if (status === 0) return response
    throw new SmppError({ by: 'status', status }, command)
  }

  /** Sends enquire_link at this interval, and ends the session when there is no response. */
  async keepAlive(interval: number): Promise<void> {
    while (this.isOpen) {
      await this.#options.clock.sleep(interval, this.#ended.signal)
      try {
        if (this.isOpen) await this.request('enquire_link')
      } catch (error) {
        const by = error instanceof SmppError ? error.failure.by : ''
        if (by !== 'status' && by !== 'nack') this.end('enquire_link was not answered')
      }
    }
  }

  async unbind(): Promise<void> {
    const answered = this.request('unbind').catch(() => undefined)
    const cancel = this.#options.clock.after(unbindTimeout, () => this.end('unbound'))
    await answered
    cancel()
    this.end('unbound', true)
  }

  /** Closes the connection to the SMSC, after pending writes if `gently`; pending requests fail. */
  end(reason: string, gently = false): void {
    if (this.#isFinished) return
    this.#isFinished = true
    this.#stopRequests(reason)
    if (gently) {
      this.#flush()
      this.#socket.destroySoon()
    } else this.#socket.destroy()
    this.#pending.failAll(this.#reason, this.#writes)
  }

  #stopRequests(reason: string): void {
    if (!this.isOpen) return
    this.#reason = reason
    this.#ended.abort()
    this.#options.onClosed()
  }

  #read(chunk: Buffer): void {
    try {
      this.#reader.read(chunk, this.#receive)
    } catch (error) {
      this.end(error instanceof Error ? error.message : String(error))
    }
  }

  #handlePdu(pdu: Pdu): void {
    if (this.#isFinished) return
    if (pdu.command >= responseBit) this.#pending.settle(pdu)
    else this.#answer(pdu)
    if (!this.isOpen && this.#pending.size === 0) this.end(this.#reason, true)
  }

  #answer(pdu: Pdu): void {
    const { command, sequence } = pdu
    if (command === commands.deliver_sm || command === commands.data_sm) {
      void this.#handleDelivery(pdu)
    } else if (command === commands.enquire_link) {
      this.#respond(command, 0, sequence)
    } else if (command === commands.unbind) {
      this.#respond(command, 0, sequence)
      this.#drain()
    } else if (command !== commands.outbind && command !== commands.alert_notification) {
      this.#respond(0, responseStatuses.unknownCommand, sequence)
    }
  }

  /** Responses may still come after the unbind of the SMSC, until it closes the connection. */
  #drain(): void {
    const reason = 'the SMSC has unbound'
    if (this.#pending.size === 0) this.end(reason, true)
    else {
      this.#stopRequests(reason)
      const cancel = this.#options.clock.after(unbindTimeout, () => this.end(reason))
      this.#socket.once('close', cancel)
    }
  }

  async #handleDelivery(pdu: Pdu): Promise<void> {
    const { command, sequence } = pdu
    const isTooMany = this.#deliveries >= maxDeliveries
    this.#deliveries += 1
    const status = isTooMany ? responseStatuses.temporaryError : await this.#options.onDeliver(pdu)
    this.#deliveries -= 1
    this.#respond(command, status, sequence)
  }

  #respond(command: number, status: number, sequence: number): void {
    if (this.#isFinished) return
    this.#writer.begin(command + responseBit, status, sequence)
    const hasMessageId = command === commands.deliver_sm || command === commands.data_sm
    if (hasMessageId) this.#writer.cString('')
    this.#writer.end()
    this.#scheduleFlush()
  }

  #takeSequence(): number {
    do this.#sequence = this.#sequence >= 0x7fffffff ? 1 : this.#sequence + 1
    while (this.#pending.has(this.#sequence))
    return this.#sequence
  }

  /** The writes of one turn of the event loop go out together, after it has read. */
  #scheduleFlush(): void {
    if (this.#writer.length > flushAt) this.#flush()
    else if (!this.#isFlushing) {
      this.#isFlushing = true
      setImmediate(() => {
        this.#isFlushing = false
        this.#flush()
      })
    }
  }

  #flush(): void {
    if (this.#writer.length === 0 || this.#socket.destroyed) return
    this.#writes += 1
    this.#socket.write(this.#writer.take())
    if (this.#socket.writableLength > maxUnsent) this.end('the SMSC does not read')
  }

  #connectionError(command: string, isSent: boolean): SmppError {
    return new SmppError({ by: 'connection', reason: this.#reason, isSent }, command)
  }
}
