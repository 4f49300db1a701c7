import { errorText } from '../../../errors.js'
import { runWithSignal, waitForAbort } from '../../../util/async/abort.js'
import { getBackoff } from '../../../util/async/backoff.js'
import type { Clock } from '../../../util/async/clock.js'
import { Semaphore } from '../../../util/async/semaphore.js'
import { DriverError, type DriverListener, type DriverMessage } from '../../driver-port/driver.js'
import { SmppBind } from './smpp-bind.js'
import { SmppError, submitError } from './smpp-error.js'
import { SentMessageIds, SmppInbox } from './smpp-inbox.js'
import { type SmppSettings, toDestinationAddress } from './smpp-settings.js'
import { isThrottling, isUnbound } from './smpp-status.js'
import { buildSubmitSms, type PduFields } from './submit-sm.js'

interface SmppAccountContext {
  readonly clock: Clock
  readonly random: () => number
  readonly listener: DriverListener | undefined
}

/** Tries of an SMS part that the SMSC throttles after an earlier part of its text was sent. */
const maxPartTries = 6
/** Milliseconds. */
const partDelays = { first: 500, max: 4000 }

export class SmppAccount {
  readonly #settings: SmppSettings
  readonly #context: SmppAccountContext
  readonly #ids = new SentMessageIds()
  readonly #bind: SmppBind
  readonly #window: Semaphore
  #reference: number

  constructor(settings: SmppSettings, context: SmppAccountContext) {
    const { clock, listener } = context
    this.#settings = settings
    this.#context = context
    this.#window = new Semaphore(settings.window)
    const inbox = new SmppInbox({ clock, listener, ids: this.#ids })
    this.#bind = new SmppBind(settings, { clock, onDeliver: async pdu => await inbox.handle(pdu) })
    this.#reference = Math.floor(context.random() * 0x10000)
  }

  /**
   * Submits a text to the SMSC, part by part; returns the number of parts. Throws {@link
   * DriverError}.
   */
  async send(
    { destination, text, assertCurrent }: DriverMessage,
    signal: AbortSignal,
  ): Promise<number> {
    this.#reference = (this.#reference + 1) % 0x10000
    const { bodies, parts } = buildSubmitSms(text, this.#settings.long, this.#reference)
    for (const [index, body] of bodies.entries()) {
      const id = await this.#window.run(async () => {
        if (index > 0)
          return await this.#submitNext(destination, body, signal, index, bodies.length)
        await assertCurrent?.()
        return await this.#submit(destination, body, signal)
      })
      this.#ids.add(id, destination)
    }
    return parts
  }

  /** Binds to the SMSC if necessary and checks that it answers. Throws `trouble`. */
  async check(): Promise<void> {
    const session = await this.#bind.getSession()
    try {
      await session.request('enquire_link', {})
    } catch (error) {
      throw new DriverError('trouble', errorText(error), { cause: error })
    }
  }

  /**
   * Binds to the SMSC and stays bound until the signal is aborted. Throws `trouble` if that fails.
   */
  async stayBound(onWorking: () => void, signal: AbortSignal): Promise<void> {
    const session = await this.#bind.getSession()
    onWorking()
    await runWithSignal([signal, session.ended], waitForAbort)
    if (signal.aborted) return
    throw new DriverError('trouble', `The connection to the SMSC was lost (${session.reason}).`)
  }

  async close(): Promise<void> {
    await this.#bind.close()
  }

  async #submit(destination: string, body: PduFields, signal: AbortSignal): Promise<string> {
    const session = await waitUnlessStopped(this.#bind.getSession(), signal)
    try {
      const fields = { ...this.#getAddressFields(destination), ...body }
      const { message_id: id } = await session.request('submit_sm', fields, { signal })
      return String(id ?? '')
    } catch (error) {
      if (!(error instanceof SmppError)) throw error
      const { failure } = error
      if (failure.by === 'status' && isUnbound(failure.status)) session.end('not bound')
      throw submitError(error)
    }
  }

  /**
   * Submits a further part to the SMSC. Earlier parts were sent, so its failure makes the result
   * unknown.
   */
  async #submitNext(
    destination: string,
    body: PduFields,
    signal: AbortSignal,
    sent: number,
    count: number,
  ): Promise<string> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#submit(destination, body, signal)
      } catch (error) {
        if (!isThrottled(error) || signal.aborted || tries === maxPartTries) {
          throw partlySentError(error, sent, count)
        }
      }
      const { clock, random } = this.#context
      await clock.sleep(getBackoff(tries, random(), partDelays), signal)
    }
  }

  #getAddressFields(destination: string): PduFields {
    const { source, reports } = this.#settings
    const { address, ton, npi } = toDestinationAddress(destination)
    return {
      source_addr_ton: source.ton,
      source_addr_npi: source.npi,
      source_addr: source.address,
      dest_addr_ton: ton,
      dest_addr_npi: npi,
      destination_addr: address,
      registered_delivery: reports ? 1 : 0,
    }
  }
}

/** Waits for an SMPP bind that others share; a stop ends the wait, not the bind. */
async function waitUnlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const stop = () => reject(new DriverError('trouble', 'Stopped before the text was sent.'))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    const settle = () => signal.removeEventListener('abort', stop)
    work.then(resolve, reject).finally(settle)
  })
}

function isThrottled(error: unknown): boolean {
  const cause = error instanceof DriverError ? error.cause : undefined
  if (!(cause instanceof SmppError)) return false
  return cause.failure.by === 'status' && isThrottling(cause.failure.status)
}

function partlySentError(cause: unknown, sent: number, count: number): DriverError {
  const sentence = `Only ${sent} of ${count} parts were sent: ${errorText(cause)}`
  return new DriverError('unknown', sentence, { cause })
}
