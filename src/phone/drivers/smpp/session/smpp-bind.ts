import { errorText } from '../../../../errors.js'
import { DriverError } from '../../../driver-port/driver.js'
import type { CommandName } from '../pdu/pdu.js'
import type { PduWriter } from '../pdu/pdu-writer.js'
import { describeStatus, isCredentialError } from '../pdu/smpp-status.js'
import type { SmppHost, SmppSettings } from '../settings/smpp-settings.js'
import { connectToSmsc } from './smpp-connect.js'
import { SmppError } from './smpp-error.js'
import { SmppSession, type SmppSessionOptions } from './smpp-session.js'

type BindCommand = Extract<CommandName, `bind_${string}`>

interface SmppBindOptions extends Pick<SmppSessionOptions, 'onDeliver' | 'clock'> {
  readonly command: BindCommand
}

/** Milliseconds between failed SMPP binds; too many wrong passwords may lock an account. */
const bindDelays = { refused: 15_000, other: 1000 }

export class SmppBind {
  readonly #settings: SmppSettings
  readonly #options: SmppBindOptions
  readonly #closing = new AbortController()
  #session: SmppSession | undefined
  #host: SmppHost | undefined
  #opening: Promise<SmppSession> | undefined
  #failed: { readonly error: unknown; readonly until: number } | undefined

  constructor(settings: SmppSettings, options: SmppBindOptions) {
    this.#settings = settings
    this.#options = options
  }

  get host(): SmppHost | undefined {
    return this.#host
  }

  get openSession(): SmppSession | undefined {
    return this.#session
  }

  /** Returns a bound SMPP session, the same for all callers. Throws `trouble`. */
  async getSession(): Promise<SmppSession> {
    if (this.#closing.signal.aborted) throw new DriverError('trouble', 'The driver was closed.')
    if (this.#session?.isOpen === true) return this.#session
    if (this.#failed !== undefined && this.#options.clock.monotonic() < this.#failed.until) {
      throw this.#failed.error
    }
    this.#opening ??= this.#bind().finally(() => {
      this.#opening = undefined
    })
    return await this.#opening
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const session = this.#session ?? (await this.#opening?.catch(() => undefined))
    await session?.unbind()
  }

  /** Binds to the first host that accepts it. */
  async #bind(): Promise<SmppSession> {
    const errors: unknown[] = []
    for (const host of this.#settings.hosts) {
      if (this.#closing.signal.aborted) break
      try {
        const session = await this.#open(host)
        this.#failed = undefined
        this.#session = session
        this.#host = host
        void session.keepAlive(this.#settings.enquire)
        return session
      } catch (error) {
        errors.push(error)
      }
    }
    const error = combineErrors(errors)
    const delay = error.wait > 0 ? bindDelays.refused : bindDelays.other
    this.#failed = { error, until: this.#options.clock.monotonic() + delay }
    throw error
  }

  async #open(host: SmppHost): Promise<SmppSession> {
    const { timeout } = this.#settings
    const { signal } = this.#closing
    const { command } = this.#options
    const session: SmppSession = new SmppSession(
      await connectToSmsc({ ...this.#settings, ...host }, signal),
      {
        ...this.#options,
        timeout,
        onClosed: () => {
          if (this.#session === session) this.#session = undefined
        },
      },
    )
    try {
      const { password, interfaceVersion, ...settings } = this.#settings
      const { 'system-id': systemId, 'system-type': systemType } = settings
      const writeBody = (writer: PduWriter) => {
        for (const each of [systemId, password, systemType]) writer.cString(each)
        for (const each of [interfaceVersion, 0, 0]) writer.uint8(each)
        writer.cString('')
      }
      await session.request(command, writeBody, signal)
      return session
    } catch (error) {
      session.end('not bound')
      throw error instanceof SmppError ? bindError(error, host, this.#settings['system-id']) : error
    }
  }
}

/** The error of a failed SMPP bind names the account, but not its password. */
function bindError(error: SmppError, { host, port }: SmppHost, systemId: string): DriverError {
  const { failure } = error
  if (failure.by !== 'status') return new DriverError('trouble', error.message, { cause: error })
  const sentence =
    `The SMSC at ${host}:${port} did not bind system-id "${systemId}" ` +
    `(${describeStatus(failure.status)}).`
  if (!isCredentialError(failure.status)) {
    return new DriverError('trouble', sentence, { cause: error })
  }
  const advice = 'Check the option system-id and the password in SMSRELAY_SMPP_PASSWORD.'
  return new DriverError('trouble', `${sentence} ${advice}`, {
    cause: error,
    wait: bindDelays.refused,
  })
}

/** The error of binds to several hosts; it waits as long as the most careful of them. */
function combineErrors(errors: readonly unknown[]): DriverError {
  const waits = errors.map(each => (each instanceof DriverError ? each.wait : 0))
  const message = errors.map(errorText).join(' ') || 'The driver was closed.'
  return new DriverError('trouble', message, { cause: errors, wait: Math.max(0, ...waits) })
}
