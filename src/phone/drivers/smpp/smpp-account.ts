import { errorText } from '../../../errors.js'
import { runWithSignal } from '../../../util/async/abort.js'
import { getBackoff } from '../../../util/async/backoff.js'
import type { Clock } from '../../../util/async/clock.js'
import { Semaphore } from '../../../util/async/semaphore.js'
import { DriverError, type DriverListener, type DriverMessage } from '../../driver-port/driver.js'
import { SentMessageIds } from './sent-message-ids.js'
import { SmppBind } from './smpp-bind.js'
import { SmppError, submitError } from './smpp-error.js'
import { SmppInbox } from './smpp-inbox.js'
import { type SmppSettings, toDestinationAddress } from './smpp-settings.js'
import { isThrottling, isUnbound } from './smpp-status.js'
import { buildSubmitSms, type PduFields } from './submit-sm.js'

/** What an {@link SmppAccount} uses of the world. */
export interface SmppAccountContext {
  readonly clock: Clock
  readonly random: () => number
  readonly listener: DriverListener | undefined
}

/** Tries of a part that is throttled after an earlier part of its text has gone. */
const maxPartTries = 6

/** An account at an SMSC, through which texts are submitted. */
export class SmppAccount {
  readonly #settings: SmppSettings
  readonly #context: SmppAccountContext
  readonly #ids = new SentMessageIds()
  readonly #binding: SmppBind
  readonly #window: Semaphore
  #reference: number

  constructor(settings: SmppSettings, context: SmppAccountContext) {
    this.#settings = settings
    this.#context = context
    this.#window = new Semaphore(settings.window)
    const incoming = new SmppInbox({ ...context, ids: this.#ids })
    const delivered = incoming.handle.bind(incoming)
    this.#binding = new SmppBind(settings, { clock: context.clock, delivered })
    this.#reference = Math.floor(context.random() * 0x10000)
  }

  /** Submits a text, part after part; returns the number of parts. Throws {@link DriverError}. */
  async send(
    { destination, text, assertCurrent: still }: DriverMessage,
    signal: AbortSignal,
  ): Promise<number> {
    this.#reference = (this.#reference + 1) % 0x10000
    const { bodies, parts } = buildSubmitSms(text, this.#settings.long, this.#reference)
    for (const [at, body] of bodies.entries()) {
      const gone = { sent: at, of: bodies.length }
      const id = await this.#window.run(async () =>
        at === 0
          ? await this.#submitFirst(destination, body, signal, still)
          : await this.#submitNext(destination, body, signal, gone),
      )
      this.#ids.remember(id, destination)
    }
    return parts
  }

  /** Binds unless that is done, and asks whether the SMSC is there. Throws {@link DriverError}. */
  async check(): Promise<void> {
    const session = await this.#binding.getSession()
    try {
      await session.request('enquire_link', {})
    } catch (error) {
      throw new DriverError('trouble', (error as Error).message, { cause: error })
    }
  }

  /** Binds, and stays bound until the signal is aborted. Throws {@link DriverError} when the line is lost. */
  async stayBound(well: () => void, signal: AbortSignal): Promise<void> {
    const session = await this.#binding.getSession()
    well()
    const both = [signal, session.ended]
    await runWithSignal(
      both,
      async either =>
        await new Promise<void>(resolve => {
          either.addEventListener('abort', () => resolve(), { once: true })
          if (either.aborted) resolve()
        }),
    )
    if (signal.aborted) return
    throw new DriverError('trouble', `The line to the SMSC was lost (${session.reason}).`)
  }

  /** Unbinds. */
  async close(): Promise<void> {
    await this.#binding.close()
  }

  async #submitFirst(
    destination: string,
    body: PduFields,
    signal: AbortSignal,
    still: DriverMessage['assertCurrent'],
  ): Promise<string> {
    await still?.()
    return await this.#submit(destination, body, signal)
  }

  async #submit(destination: string, body: PduFields, signal: AbortSignal): Promise<string> {
    const session = await waitUnlessStopped(this.#binding.getSession(), signal)
    try {
      const fields = { ...this.#fieldsTo(destination), ...body }
      const { message_id: id } = await session.request('submit_sm', fields, { signal })
      return String(id ?? '')
    } catch (error) {
      if (!(error instanceof SmppError)) throw error
      const { fault } = error
      if (fault.by === 'status' && isUnbound(fault.status)) session.end('not bound')
      throw submitError(error)
    }
  }

  /** When a part is not taken after others were, nobody can say that nothing was sent. */
  async #submitNext(
    destination: string,
    body: PduFields,
    signal: AbortSignal,
    gone: { readonly sent: number; readonly of: number },
  ): Promise<string> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#submit(destination, body, signal)
      } catch (error) {
        if (!isThrottled(error) || signal.aborted || tries === maxPartTries)
          throw partlySentError(error, gone)
      }
      const wait = getBackoff(tries, this.#context.random(), { first: 500, max: 4000 })
      await this.#context.clock.sleep(wait, signal)
    }
  }

  #fieldsTo(destination: string): PduFields {
    const { source, reports } = this.#settings
    const { address, ton, npi } = toDestinationAddress(destination)
    return {
      ...{ source_addr_ton: source.ton, source_addr_npi: source.npi, source_addr: source.address },
      ...{ dest_addr_ton: ton, dest_addr_npi: npi, destination_addr: address },
      registered_delivery: reports ? 1 : 0,
    }
  }
}

/** Waits for what others wait for too, unless stopped. */
async function waitUnlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const stop = () => reject(new DriverError('trouble', 'Stopped before the text was sent.'))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    const settle = () => signal.removeEventListener('abort', stop)
    work.then(resolve, reject).finally(settle)
  })
}

/** Whether the same part may be taken in a moment. */
function isThrottled(error: unknown): boolean {
  const cause = error instanceof DriverError ? error.cause : undefined
  return (
    cause instanceof SmppError && cause.fault.by === 'status' && isThrottling(cause.fault.status)
  )
}

function partlySentError(error: unknown, { sent, of }: { sent: number; of: number }): DriverError {
  const why = errorText(error)
  return new DriverError('unknown', `Only ${sent} of ${of} parts were sent: ${why}`, {
    cause: error,
  })
}
