import { errorText } from '../../../errors.js'
import { runWithSignal, waitForAbort } from '../../../util/async/abort.js'
import { getBackoff } from '../../../util/async/backoff.js'
import type { Clock } from '../../../util/async/clock.js'
import {
  DriverError,
  type DriverListener,
  type DriverMessage,
  type DriverReceipt,
} from '../../driver-port/driver.js'
import { CircuitBreaker } from './circuit-breaker.js'
import { readMessageId, writeMessageBody } from './pdu/message-body.js'
import type { PduWriter } from './pdu/pdu-writer.js'
import { isTemporary, isThrottling, isUnbound } from './pdu/smpp-status.js'
import { SendWindow } from './send-window.js'
import { SmppBind } from './session/smpp-bind.js'
import { getSubmitStatus, SmppError, submitError } from './session/smpp-error.js'
import type { SmppSettings } from './settings/smpp-settings.js'
import { SmppInbox } from './smpp-inbox.js'
import { buildSubmitSms, type SubmitContent, toMessageBody } from './text/submit-sm.js'

interface SmppAccountContext {
  readonly clock: Clock
  readonly random: () => number
  readonly listener: DriverListener | undefined
}

/** Tries of an SMS part that the SMSC throttles: of a text's first part, and of later ones. */
const maxTries = { first: 4, later: 6 }
/** Milliseconds. */
const retryDelays = { first: 500, max: 4000 }

export class SmppAccount {
  readonly #settings: SmppSettings
  readonly #context: SmppAccountContext
  readonly #sender: SmppBind
  readonly #receiver: SmppBind | undefined
  readonly #window: SendWindow
  readonly #breaker: CircuitBreaker
  #reference: number

  constructor(settings: SmppSettings, context: SmppAccountContext) {
    const { clock, listener, random } = context
    this.#settings = settings
    this.#context = context
    const window = new SendWindow(settings.window, settings.throughput, clock)
    this.#window = window
    const onChange = (isProbing: boolean) => window.setProbing(isProbing)
    this.#breaker = new CircuitBreaker({ clock, random, onChange })
    const inbox = new SmppInbox({ listener, settings })
    const options = { clock, onDeliver: inbox.handle.bind(inbox) }
    const command = settings.bind === 'transceiver' ? 'bind_transceiver' : 'bind_transmitter'
    this.#sender = new SmppBind(settings, { ...options, command })
    if (settings.bind === 'separate') {
      this.#receiver = new SmppBind(settings, { ...options, command: 'bind_receiver' })
    }
    this.#reference = Math.floor(random() * 0x10000)
  }

  /**
   * Submits a text to the SMSC, part by part; returns the number of parts, and their ids if it
   * asked for receipts. Throws {@link DriverError}.
   */
  async send(message: DriverMessage, signal: AbortSignal): Promise<DriverReceipt> {
    this.#reference = (this.#reference + 1) % 0x10000
    const { flash } = message
    const settings = { ...this.#settings, flash }
    const { contents, parts } = buildSubmitSms(message.text, settings, this.#reference)
    const networkIds: string[] = []
    for (const [index, content] of contents.entries()) {
      networkIds.push(await this.#submitPart(message, content, signal, index, contents.length))
    }
    return this.#settings.reports ? { parts, networkIds } : { parts }
  }

  /** Binds to the SMSC if necessary and checks that it answers. Throws `trouble`. */
  async check(): Promise<string> {
    for (const bind of [this.#sender, this.#receiver]) await checkBind(bind)
    if (!this.#breaker.isClosed) throw silentError(this.#breaker.wait)
    const { host, port } = this.#sender.host ?? this.#settings.hosts[0] ?? {}
    return `Bound to ${host}:${port} as ${this.#settings['system-id']}.`
  }

  /**
   * Binds to the SMSC and stays bound until the signal is aborted. Throws `trouble` if that fails,
   * or if the SMSC does not respond to submit_sm.
   */
  async stayBound(onWorking: () => void, signal: AbortSignal): Promise<void> {
    const session = await this.#sender.getSession()
    await this.#probe()
    onWorking()
    const { opened } = this.#breaker
    await runWithSignal([signal, session.ended, opened], waitForAbort)
    if (signal.aborted) return
    if (opened.aborted) throw silentError(this.#breaker.wait)
    throw new DriverError('trouble', `The connection to the SMSC was lost (${session.reason}).`)
  }

  /** As {@link stayBound}, for the bind that only receives. */
  async stayBoundToReceive(onWorking: () => void, signal: AbortSignal): Promise<void> {
    if (this.#receiver === undefined) return
    const session = await this.#receiver.getSession()
    onWorking()
    await runWithSignal([signal, session.ended], waitForAbort)
    if (signal.aborted) return
    throw new DriverError('trouble', `The receiver's connection was lost (${session.reason}).`)
  }

  async close(): Promise<void> {
    await Promise.all([this.#sender.close(), this.#receiver?.close()])
  }

  /**
   * Submits a part to the SMSC, and again later if the SMSC throttles. After earlier parts were
   * sent, its failure makes the result unknown.
   */
  async #submitPart(
    message: DriverMessage,
    content: SubmitContent,
    signal: AbortSignal,
    sent: number,
    count: number,
  ): Promise<string> {
    const { clock, random } = this.#context
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#submitInTurn(message, content, signal, sent === 0)
      } catch (error) {
        const isLast = signal.aborted || tries === (sent === 0 ? maxTries.first : maxTries.later)
        const status = getSubmitStatus(error) ?? 0
        const isRetried = sent === 0 ? isThrottling(status) : isTemporary(status)
        if (isLast || !isRetried) throw sent === 0 ? error : partlySentError(error, sent, count)
      }
      await clock.sleep(getBackoff(tries, random(), retryDelays), signal)
    }
  }

  async #submitInTurn(
    message: DriverMessage,
    content: SubmitContent,
    signal: AbortSignal,
    isFirst: boolean,
  ): Promise<string> {
    if (!this.#window.tryAcquire()) await this.#window.acquire(signal)
    try {
      if (isFirst) {
        if (this.#breaker.isOpen) await this.#probe()
        await message.assertCurrent?.()
      }
      return await this.#submit(message.destination, content, signal)
    } finally {
      this.#window.release()
    }
  }

  /** After the pause of an open circuit breaker, enquire_link must be answered before a text. */
  async #probe(): Promise<void> {
    if (!this.#breaker.isOpen) return
    if (this.#breaker.wait === 0) await checkBind(this.#sender)
    if (!this.#breaker.tryProbe()) throw silentError(this.#breaker.wait)
  }

  async #submit(destination: string, content: SubmitContent, signal: AbortSignal): Promise<string> {
    if (signal.aborted) throw stoppedError()
    const session =
      this.#sender.openSession ?? (await waitUnlessStopped(this.#sender.getSession(), signal))
    const { opened } = this.#breaker
    const body = toMessageBody(destination, content, this.#settings)
    try {
      const writeBody = (writer: PduWriter) => writeMessageBody(writer, body)
      const response = await session.request('submit_sm', writeBody, signal)
      this.#breaker.recordAnswer()
      this.#window.widen()
      return readMessageId(response.body)
    } catch (error) {
      if (!(error instanceof SmppError)) throw error
      if (error.failure.by === 'silence') this.#breaker.recordSilence(opened)
      const status = getSubmitStatus(error)
      if (status !== undefined) this.#breaker.recordAnswer()
      if (status !== undefined && isThrottling(status)) this.#window.narrow()
      if (status !== undefined && isUnbound(status)) session.end('not bound')
      throw submitError(error)
    }
  }
}

async function checkBind(bind: SmppBind | undefined): Promise<void> {
  const session = await bind?.getSession()
  try {
    await session?.request('enquire_link')
  } catch (error) {
    const isSilent = error instanceof SmppError && error.failure.by === 'silence'
    if (isSilent) session?.end('enquire_link was not answered')
    throw new DriverError('trouble', errorText(error), { cause: error })
  }
}

/** Waits for an SMPP bind that others share; a stop ends the wait, not the bind. */
async function waitUnlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const stop = () => reject(stoppedError())
    signal.addEventListener('abort', stop, { once: true })
    const settle = () => signal.removeEventListener('abort', stop)
    work.then(resolve, reject).finally(settle)
  })
}

function stoppedError(): DriverError {
  return new DriverError('trouble', 'Stopped before the text was sent.')
}

function silentError(wait: number): DriverError {
  const sentence = 'The SMSC does not respond to texts; the phone sends no more for now.'
  return new DriverError('trouble', sentence, { wait })
}

function partlySentError(cause: unknown, sent: number, count: number): DriverError {
  const sentence = `Only ${sent} of ${count} parts were sent: ${errorText(cause)}`
  return new DriverError('unknown', sentence, { cause })
}
