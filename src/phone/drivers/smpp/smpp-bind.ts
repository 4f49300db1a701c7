import { DriverError } from '../../driver-port/driver.js'
import { connectToSmsc } from './smpp-connect.js'
import { SmppError } from './smpp-error.js'
import { SmppSession, type SmppSessionOptions } from './smpp-session.js'
import type { SmppSettings } from './smpp-settings.js'
import { describeStatus, isCredentialError } from './smpp-status.js'

type SmppBindOptions = Pick<SmppSessionOptions, 'onDeliver' | 'clock'>

/** Milliseconds between failed SMPP binds; too many wrong passwords may lock an account. */
const bindDelays = { refused: 15_000, other: 1000 }

export class SmppBind {
  readonly #settings: SmppSettings
  readonly #options: SmppBindOptions
  readonly #closing = new AbortController()
  #session: SmppSession | undefined
  #opening: Promise<SmppSession> | undefined
  #failed: { readonly error: unknown; readonly until: number } | undefined

  constructor(settings: SmppSettings, options: SmppBindOptions) {
    this.#settings = settings
    this.#options = options
  }

  /** Returns a bound SMPP session, the same for all callers. Throws `trouble`. */
  async getSession(): Promise<SmppSession> {
    if (this.#closing.signal.aborted) throw new DriverError('trouble', 'The driver was closed.')
    if (this.#session?.isOpen === true) return this.#session
    if (this.#failed !== undefined && this.#options.clock.now() < this.#failed.until) {
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

  async #bind(): Promise<SmppSession> {
    try {
      const session = await this.#open()
      this.#failed = undefined
      this.#session = session
      void session.keepAlive(this.#settings.enquire)
      return session
    } catch (error) {
      const isRefused = error instanceof DriverError && error.wait > 0
      const delay = isRefused ? bindDelays.refused : bindDelays.other
      this.#failed = { error, until: this.#options.clock.now() + delay }
      throw error
    }
  }

  async #open(): Promise<SmppSession> {
    const { timeout, systemId, password, systemType } = this.#settings
    const { signal } = this.#closing
    const session = new SmppSession(await connectToSmsc(this.#settings, signal), {
      ...this.#options,
      timeout,
      onClosed: () => {
        this.#session = undefined
      },
    })
    try {
      const fields = {
        system_id: systemId,
        password,
        system_type: systemType,
        interface_version: 0x34,
      }
      await session.request('bind_transceiver', fields, { signal })
      return session
    } catch (error) {
      session.end('not bound')
      throw error instanceof SmppError ? bindError(error, this.#settings) : error
    }
  }
}

/** The error of a failed SMPP bind names the account, but not its password. */
function bindError(error: SmppError, { host, port, systemId }: SmppSettings): DriverError {
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
